/** A request with input of the maximum size that is hard to read in some way. */
export interface InputShape {
  readonly title: string
  readonly method?: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Shapes, besides the plain input of their size, which is sent in the same way. */
export interface ShapeGroup {
  readonly title: string
  /** Sent to the operator endpoint. */
  readonly isOperators?: boolean
  /** Sent without an access token: a caller that requests one sends a secret. */
  readonly isAnonymous?: boolean
  readonly plain: InputShape
  readonly shapes: readonly InputShape[]
}

/** Repeats the part as often as it fits into this number of bytes. */
export function fill(part: string, bytes: number, separator = ''): string {
  const each = Buffer.byteLength(part + separator)
  return Array.from({ length: Math.floor(bytes / each) }, () => part).join(separator)
}

/** Different parts, as many as fit. */
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
