import type { Page, PageRequest } from '../../../domain/page.ts'
import type { Session } from '../session.ts'
import { askTogether } from '../together.ts'

export interface Paged<Stored, Flat> {
  readonly selected: string
  readonly from: string
  readonly order: string
  readonly values: readonly string[]
  readonly build: (flat: Flat) => Stored
}

/** The page and the number of all, of one moment. */
export async function pageOf<Stored, Flat>(
  session: Session,
  { page, size }: PageRequest,
  { selected, from, order, values, build }: Paged<Stored, Flat>,
): Promise<Page<Stored>> {
  const limit = `limit $${values.length + 1}::bigint offset $${values.length + 2}::bigint`
  const text = `select ${selected} ${from} order by ${order} ${limit}`
  const [rows = [], counted = []] = await askTogether(session.ask, [
    { text, values: [...values, size, (page - 1) * size] },
    { text: `select count(*)::integer as count ${from}`, values },
  ])
  const [number] = counted as readonly { readonly count: number }[]
  return { items: (rows as readonly Flat[]).map(build), totalItems: number?.count ?? 0 }
}
