/** A request of Node, or undefined in place of one that no socket has received. */
interface Received {
  readonly rawHeaders: readonly string[]
}

/**
 * The values of all header lines with this name. Elsewhere, Node shows only the first of them, or joins them, which looks
 * like one wrong value.
 */
export function headerLines({ rawHeaders }: Received, name: string): readonly string[] {
  return rawHeaders.flatMap((text, index) => {
    const isName = index % 2 === 0 && text.length === name.length && text.toLowerCase() === name
    return isName ? (rawHeaders[index + 1] ?? '') : []
  })
}

interface Asked {
  readonly runtime?: { readonly node?: { readonly req: Received } | undefined } | undefined
}

/** Whether a request has two header lines with this name. */
export function isRepeated({ runtime }: Asked, name: string): boolean {
  const received = runtime?.node?.req
  return received !== undefined && headerLines(received, name).length > 1
}
