/** A request whose input is as large as it may be, made hard to read in some way. */
export interface InputShape {
  readonly title: string
  readonly method?: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Shapes beside the plain input of their size, which is sent in the same way. */
export interface ShapeGroup {
  readonly title: string
  /** Goes to the operator endpoint. */
  readonly isOperators?: boolean
  /** Without an access token: who is asked for one sends a secret. */
  readonly isAnonymous?: boolean
  readonly plain: InputShape
  readonly shapes: readonly InputShape[]
}

/** As often as there is room for it in so many bytes. */
export function fill(part: string, bytes: number, separator = ''): string {
  const each = Buffer.byteLength(part + separator)
  return Array.from({ length: Math.floor(bytes / each) }, () => part).join(separator)
}

/** Parts that differ, as many as there is room for. */
export function fillWith(
  partOf: (number: number) => string,
  bytes: number,
  separator = ',',
): string {
  const parts: string[] = []
  for (let length = 0, number = 0; ; number++) {
    const part = partOf(number)
    length += Buffer.byteLength(part + separator)
    if (length > bytes) return parts.join(separator)
    parts.push(part)
  }
}
