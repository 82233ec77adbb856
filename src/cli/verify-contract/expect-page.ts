import { findDiffering, findFirst, isBody } from './expectations.ts'
import type { Answer } from './pinned-contract.ts'

/** A list tells of the page that was asked for, and its numbers fit together. */
export function expectPage({ address, body }: Answer): string | undefined {
  if (!isBody(body)) return undefined
  const { items, total_items: total } = body
  if (!Array.isArray(items) || typeof total !== 'number') return undefined
  const asked = pageAskedFor(address)
  const pages = Math.ceil(total / asked.size)
  const { page, size } = asked
  const told = { page, size, total_pages: pages, has_next: page < pages, has_previous: page > 1 }
  return findFirst([
    () => findTotalFault(items.length, total, { isAll: pages <= 1 }),
    () => findDiffering(told, body),
  ])
}

function pageAskedFor({ searchParams }: URL) {
  return {
    page: Number(searchParams.get('page') ?? 1),
    size: Number(searchParams.get('size') ?? 20),
  }
}

function findTotalFault(held: number, total: number, { isAll }: { isAll: boolean }) {
  const holds = isAll ? total === held : total >= held
  const where = isAll ? ' on the only page' : ''
  return holds ? undefined : `/total_items is ${total}, but /items holds ${held}${where}`
}
