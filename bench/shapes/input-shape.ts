/** A request whose input has the maximum size and is expensive to read. */
export interface InputShape {
  readonly title: string
  readonly method?: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Shapes of input, and plain input of the same size that is sent in the same way. */
export interface ShapeGroup {
  readonly title: string
  /** Whether the requests go to the operator endpoint. */
  readonly isOperators?: boolean
  /** Whether the requests have no access token, such as a request for a token. */
  readonly isAnonymous?: boolean
  readonly plain: InputShape
  readonly shapes: readonly InputShape[]
}

/** Repeats the part as often as it fits into this number of bytes. */
export function fill(part: string, bytes: number, separator = ''): string {
  const each = Buffer.byteLength(part + separator)
  return Array.from({ length: Math.floor(bytes / each) }, () => part).join(separator)
}

/** Joins different parts until they reach this number of bytes. */
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
