import { setImmediate as nextTurn } from 'node:timers/promises'

const perTurn = 1000

/** Others have their turn in between. */
export async function renderMany<Item, Rendered>(
  items: readonly Item[],
  render: (item: Item) => Rendered,
): Promise<Rendered[]> {
  const rendered: Rendered[] = []
  for (const item of items) {
    rendered.push(render(item))
    if (rendered.length % perTurn === 0) await nextTurn()
  }
  return rendered
}
