import { Problem } from '../domain/problem.ts'
import { exitCodes } from './error-codes.ts'
import { exitCodeOf } from './errors.ts'

export interface Tried<Result> {
  readonly id: string
  readonly outcome: { readonly result: Result } | { readonly problem: Problem }
}

export interface Attempt<Result> {
  readonly act: (id: string) => Promise<Result>
  readonly onTried?: (tried: Tried<Result>) => void
  /** Reports an outage for each id instead of throwing, which would lose the results of earlier ids. */
  readonly throughOutages?: boolean
}

export interface Failed extends Tried<never> {
  readonly outcome: { readonly problem: Problem }
}

export function isFailed(tried: Tried<unknown>): tried is Failed {
  return 'problem' in tried.outcome
}

/** Writes that wait at the same time share one sync of the disk. */
const width = 16

/** Ids that differ only in case are the same. */
export function distinctIds(ids: readonly string[]): readonly string[] {
  const found = new Map<string, string>()
  for (const id of ids) found.set(id.toLowerCase(), found.get(id.toLowerCase()) ?? id)
  return [...found.values()]
}

/** A refusal of one id does not stop the others. */
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

/**
 * Unreachable takes precedence over refused, and refused over not found, because somebody has to
 * look into it first.
 */
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
