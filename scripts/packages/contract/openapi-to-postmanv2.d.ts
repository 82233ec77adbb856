declare module 'openapi-to-postmanv2' {
  interface Conversion {
    readonly result: boolean
    readonly reason?: string
    readonly output: readonly [{ readonly data: import('../../contract/collection.ts').Folder }]
  }

  function convertV2(
    input: { readonly type: 'json'; readonly data: unknown },
    options: Readonly<Record<string, unknown>>,
    callback: (error: Error | null, conversion: Conversion) => void,
  ): void

  const converter: { readonly convertV2: typeof convertV2 }
  export default converter
}
