declare module 'postject' {
  export interface InjectOptions {
    readonly sentinelFuse: string
    readonly machoSegmentName?: string
  }
  export function inject(
    file: string,
    name: string,
    data: Buffer,
    options: InjectOptions,
  ): Promise<void>
}
