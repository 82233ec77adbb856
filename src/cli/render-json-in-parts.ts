/** As `JSON.stringify` with two spaces, of a list that comes in batches. */
export async function* renderJsonInParts(
  batches: AsyncIterable<readonly unknown[]>,
): AsyncGenerator<string> {
  // What is printed ends with a line break, so the comma behind a batch waits for the next one.
  let pending: string | undefined
  for await (const rows of batches) {
    if (rows.length === 0) continue
    if (pending !== undefined) yield `${pending},`
    const text = JSON.stringify(rows, undefined, 2)
    pending = text.slice(pending === undefined ? 0 : '[\n'.length, -'\n]'.length)
  }
  yield pending === undefined ? '[]' : `${pending}\n]`
}
