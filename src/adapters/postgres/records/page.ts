import type { Page, PageRequest } from '../../../domain/page.ts'
import type { Session } from '../session.ts'

export interface Paged<Stored, Flat> {
  readonly selected: string
  readonly from: string
  readonly order: string
  readonly values: readonly string[]
  readonly build: (flat: Flat) => Stored
}

/** The page and the number of all, asked together. */
export async function pageOf<Stored, Flat>(
  session: Session,
  { page, size }: PageRequest,
  { selected, from, order, values, build }: Paged<Stored, Flat>,
): Promise<Page<Stored>> {
  const limit = `limit $${values.length + 1}::bigint offset $${values.length + 2}::bigint`
  const text = `select ${selected} ${from} order by ${order} ${limit}`
  const [rows, counted] = await Promise.all([
    session.ask<Flat>(text, [...values, size, (page - 1) * size]),
    session.ask<{ readonly count: number }>(`select count(*)::integer as count ${from}`, values),
  ])
  return { items: rows.map(build), totalItems: counted[0]?.count ?? 0 }
}
