/** A request of Node, or undefined in place of one that no socket has received. */
interface Received {
  readonly rawHeaders: readonly string[]
}

/**
 * The number of header lines with this name. Elsewhere, Node shows only the first of them, or joins them, which looks
 * like one wrong value.
 */
export function countHeaderLines({ rawHeaders }: Received, name: string): number {
  let count = 0
  // Names and values alternate. Each request is counted, so this makes no lists.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const text = rawHeaders[at]
    if (text?.length === name.length && text.toLowerCase() === name) count += 1
  }
  return count
}

interface Asked {
  readonly runtime?: { readonly node?: { readonly req: Received } | undefined } | undefined
}

/** Whether a request has two header lines with this name. */
export function isRepeated({ runtime }: Asked, name: string): boolean {
  const received = runtime?.node?.req
  return received !== undefined && countHeaderLines(received, name) > 1
}
