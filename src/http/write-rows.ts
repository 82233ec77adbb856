import { setImmediate as nextTurn } from 'node:timers/promises'

const perPart = 1000

/** A list as JSON, written as it comes. Each row stands on a line of its own, so that it can also be read as it comes. */
export async function* writeRows(
  batches: AsyncIterable<readonly unknown[]>,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let start = '[\n'
  for await (const rows of batches) {
    if (rows.length === 0) continue
    yield encoder.encode(`${start}${rows.map((row) => JSON.stringify(row)).join(',\n')}`)
    start = ',\n'
  }
  yield encoder.encode(start === '[\n' ? '[]\n' : '\n]\n')
}

/** Of a list that is there already. Others have their turn in between. */
export async function* inParts<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  for (let from = 0; from < rows.length; from += perPart) {
    yield rows.slice(from, from + perPart)
    await nextTurn()
  }
}

/** Waits for the first batch: what is refused is refused before anything is written. */
export async function begun<Row>(
  batches: AsyncIterable<readonly Row[]>,
): Promise<AsyncIterable<readonly Row[]>> {
  const iterator = batches[Symbol.asyncIterator]()
  const first = await iterator.next()
  return continued(first, iterator)
}

async function* continued<Row>(
  first: IteratorResult<readonly Row[]>,
  iterator: AsyncIterator<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  try {
    for (let next = first; !next.done; next = await iterator.next()) yield next.value
  } finally {
    await iterator.return?.()
  }
}
