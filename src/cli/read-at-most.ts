/** undefined when there are more; then the stream is left. */
export async function readAtMost(
  stream: AsyncIterable<Uint8Array>,
  mostBytes: number,
): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    length += chunk.length
    if (length > mostBytes) return undefined
  }
  return Buffer.concat(chunks)
}
