import { setImmediate as nextTurn } from 'node:timers/promises'

const batchSize = 500

export function* batchesOf<Item>(items: Iterable<Item>): Generator<readonly Item[]> {
  let batch: Item[] = []
  for (const item of items) {
    batch.push(item)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** With a turn for others after each: a service that checks its store has requests to answer. */
export async function* batchesInTurns<Item>(
  items: Iterable<Item>,
): AsyncGenerator<readonly Item[]> {
  for (const batch of batchesOf(items)) {
    yield batch
    await nextTurn()
  }
}
