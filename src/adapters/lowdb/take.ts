/** The first `limit` of what may be endless. */
export function take<Item>(items: Iterable<Item> | undefined, limit: number): Item[] {
  const taken: Item[] = []
  for (const item of items ?? []) {
    if (taken.length >= limit) break
    taken.push(item)
  }
  return taken
}
