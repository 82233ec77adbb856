import { Problem } from '../../domain/problem.ts'
import type { Batches } from '../../domain/share-purchases/dependencies.ts'

export interface Failed {
  readonly id: string
  readonly problem: Error
}

export type Tried<Result> = Failed | { readonly id: string; readonly result: Result }

export function isFailed(tried: Tried<unknown>): tried is Failed {
  return 'problem' in tried
}

/** Ids that differ only in case are the same. */
export function distinctIds(ids: readonly string[]): readonly string[] {
  const found = new Map<string, string>()
  for (const id of ids) found.set(id.toLowerCase(), found.get(id.toLowerCase()) ?? id)
  return [...found.values()]
}

/** Writes that wait at the same time share one sync of the disk. */
const width = 16

interface Attempt<Result> {
  readonly act: (id: string) => Promise<Result>
  readonly onTried?: ((tried: Tried<Result>) => void) | undefined
}

/**
 * Tries each id, and returns what came of it, in the same order. A refusal or a fault of one id does
 * not stop the others. While the service or its store cannot be reached, all others would only wait
 * for the same refusal, so they get it without being tried.
 */
export async function tryEach<Result>(
  batches: Batches,
  { act, onTried }: Attempt<Result>,
): Promise<readonly Tried<Result>[]> {
  const all: Tried<Result>[] = []
  let outage: Error | undefined
  for (const ids of batches) {
    for (let start = 0; start < ids.length; start += width) {
      const some = ids.slice(start, start + width)
      const tryNext = (id: string) => (outage ? { id, problem: outage } : tryOne(id, act))
      const tried = await Promise.all(some.map(tryNext))
      for (const each of tried) {
        all.push(each)
        onTried?.(each)
      }
      // A single record may fail with this code, too, such as one that others are changing.
      if (tried.every(isOutage)) outage = tried[0]?.problem
    }
  }
  return all
}

async function tryOne<Result>(
  id: string,
  act: (id: string) => Promise<Result>,
): Promise<Tried<Result>> {
  try {
    return { id, result: await act(id) }
  } catch (error) {
    // Every other id would be refused, too, and nobody knows who asks.
    const isAboutCaller = error instanceof Problem && error.code === 'UNAUTHENTICATED'
    if (error instanceof Error && !isAboutCaller) return { id, problem: error }
    throw error
  }
}

/** Whether the service or its store could not be reached. */
export function isOutage(tried: Tried<unknown>): tried is Failed {
  if (!isFailed(tried)) return false
  return tried.problem instanceof Problem && tried.problem.code === 'SERVICE_UNAVAILABLE'
}
