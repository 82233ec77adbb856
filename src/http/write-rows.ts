import { setImmediate as nextTurn } from 'node:timers/promises'

const perPart = 1000

/** A list as JSON. What is long is written in parts, and others have their turn in between. */
export async function* writeRows(rows: readonly unknown[]): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for (let from = 0; from < rows.length; from += perPart) {
    const part = JSON.stringify(rows.slice(from, from + perPart))
    yield encoder.encode(`${from === 0 ? '[' : ','}${part.slice(1, -1)}`)
    await nextTurn()
  }
  yield encoder.encode(rows.length === 0 ? '[]' : ']')
}
