/** The first `limit` of what may be endless, or may have to be looked for. */
export function take<Item>(items: Iterable<Item> | undefined, limit: number): Item[] {
  const taken: Item[] = []
  if (limit < 1) return taken
  for (const item of items ?? []) {
    if (taken.push(item) >= limit) break
  }
  return taken
}
