/** Far more than any event has. */
export const mostBodyBytes = 1024 * 1024

/** undefined when there are more. */
export async function readBodyOf(stream: AsyncIterable<Buffer>): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    length += chunk.length
    if (length > mostBodyBytes) return undefined
  }
  return Buffer.concat(chunks)
}
