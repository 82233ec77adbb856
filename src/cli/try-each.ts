import { Problem } from '../domain/problem.ts'
import { exitCodeOf, exitCodes } from './exit-codes.ts'

export interface Tried<Result> {
  readonly id: string
  readonly outcome: { readonly result: Result } | { readonly problem: Problem }
}

export interface Attempt<Result> {
  readonly act: (id: string) => Promise<Result>
  readonly onTried?: (tried: Tried<Result>) => void
  /** Tells of an outage for each id, and does not throw: that would lose what is known of the ids before. */
  readonly throughOutages?: boolean
}

export interface Failed extends Tried<never> {
  readonly outcome: { readonly problem: Problem }
}

export function isFailed(tried: Tried<unknown>): tried is Failed {
  return 'problem' in tried.outcome
}

/** So many at once share a wait for the disk. */
const width = 16

/** Each once, in whatever case it is written. */
export function distinctIds(ids: readonly string[]): readonly string[] {
  const found = new Map<string, string>()
  for (const id of ids) found.set(id.toLowerCase(), found.get(id.toLowerCase()) ?? id)
  return [...found.values()]
}

/** Tries all of `ids`, each on its own; a refusal of one does not keep the others from being tried. */
export async function tryEach<Result>(
  ids: readonly string[],
  attempt: Attempt<Result>,
): Promise<Tried<Result>[]> {
  const tried: Tried<Result>[] = []
  for (let start = 0; start < ids.length; start += width) {
    const batch = ids.slice(start, start + width)
    for (const each of await Promise.all(batch.map((id) => tryOne(id, attempt)))) {
      tried.push(each)
      attempt.onTried?.(each)
    }
  }
  return tried
}

/** Out of reach wins over refused, and that over not found: it is the one that someone has to look into first. */
export function exitCodeOfAll(tried: readonly Tried<unknown>[]): number {
  const codes = tried.map(({ outcome }) => ('problem' in outcome ? exitCodeOf(outcome.problem) : 0))
  return Math.max(0, ...codes)
}

async function tryOne<Result>(
  id: string,
  { act, throughOutages = false }: Attempt<Result>,
): Promise<Tried<Result>> {
  try {
    return { id, outcome: { result: await act(id) } }
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem
    const isOutage = problem.code === 'SERVICE_UNAVAILABLE'
    if (isAboutOneId(problem) || (throughOutages && isOutage)) return { id, outcome: { problem } }
    throw problem
  }
}

function isAboutOneId(problem: Problem): boolean {
  const code = exitCodeOf(problem)
  return code === exitCodes.notFound || code === exitCodes.refused
}
