/**
 * Judges whether a history of concurrent calls is linearizable (Herlihy and Wing): the calls could
 * have happened one after the other, each at one moment between its beginning and its end. The
 * algorithm is that of Wing and Gong, and it remembers the places where the search has failed.
 */
export interface Called<State> {
  /**
   * Beginning and end, as positions in the sequence of all beginnings and ends. A call without an
   * answer has no end, and it may not have happened.
   */
  readonly from: number
  readonly to: number | undefined
  readonly text: string
  /**
   * Returns the possible states after the call; none if `state` contradicts the answer of the call.
   * Equal states have equal texts.
   */
  next(state: State): readonly State[]
}

export type Verdict = 'linearizable' | 'not linearizable' | 'too long'

const mostCalls = 120
const mostVisits = 200_000

export function judge<State>(
  calls: readonly Called<State>[],
  start: State,
  textOf: (state: State) => string,
): Verdict {
  if (calls.length > mostCalls) return 'too long'
  const sorted = [...calls].sort((left, right) => left.from - right.from)
  const ends = sorted.map(({ to = Number.POSITIVE_INFINITY }) => to)
  // The search has placed the calls before `first` and, of the later calls, those in `ahead`.
  const failed = new Set<string>()
  let visits = 0
  const search = (first: number, ahead: readonly number[], state: State): boolean => {
    const left = []
    let firstEnd = Number.POSITIVE_INFINITY
    for (let at = first; at < sorted.length; at += 1) {
      if ((sorted[at]?.from ?? 0) > firstEnd) break
      if (ahead.includes(at)) continue
      left.push(at)
      firstEnd = Math.min(firstEnd, ends[at] ?? 0)
    }
    // Only calls without an answer are left.
    if (firstEnd === Number.POSITIVE_INFINITY) return true
    const place = `${first}|${ahead.join()}|${textOf(state)}`
    if (failed.has(place)) return false
    visits += 1
    if (visits > mostVisits) throw new TooLong()
    const possible = left.filter((at) => (sorted[at]?.from ?? 0) <= firstEnd)
    // If an answered call changes nothing now, the search need not try it later.
    const idle = possible.find(
      (at) => sorted[at]?.to !== undefined && sorted[at]?.next(state)[0] === state,
    )
    if (idle !== undefined) return search(...without(first, ahead, idle), state)
    for (const at of possible) {
      const isUnanswered = sorted[at]?.to === undefined
      // Of several equal calls without an answer, the first one may be the one that happened.
      if (isUnanswered && possible.some((one) => one < at && isEqual(sorted[one], sorted[at])))
        continue
      for (const after of sorted[at]?.next(state) ?? []) {
        if (isUnanswered && after === state) continue
        if (search(...without(first, ahead, at), after)) return true
      }
    }
    failed.add(place)
    return false
  }
  try {
    return search(0, [], start) ? 'linearizable' : 'not linearizable'
  } catch (error) {
    if (error instanceof TooLong) return 'too long'
    throw error
  }
}

function isEqual<State>(left?: Called<State>, right?: Called<State>): boolean {
  return left?.to === undefined && right?.to === undefined && left?.text === right?.text
}

function without(first: number, ahead: readonly number[], at: number): [number, readonly number[]] {
  const done = at === first ? [...ahead] : [...ahead, at].sort((left, right) => left - right)
  if (at !== first) return [first, done]
  let next = first + 1
  while (done[0] === next) {
    done.shift()
    next += 1
  }
  return [next, done]
}

class TooLong extends Error {}
