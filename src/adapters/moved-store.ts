import { Problem } from '../domain/problem.ts'
import type { StoreMove } from '../ports/store-copy.ts'

/** What a store that lives elsewhere refuses. */
function storeMoved({ to, at }: StoreMove): Problem {
  return new Problem(
    'STORE_MOVED',
    `This store was moved to ${to} at ${at}. Use the store there. This one lacks what was written there since; to go on with this one all the same, run \`coopshare store reopen --yes\` on it.`,
  )
}

export function requireNotMoved(moved: StoreMove | null | undefined): void {
  if (moved) throw storeMoved(moved)
}
