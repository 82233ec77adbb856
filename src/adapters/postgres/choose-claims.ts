import type { ClaimRequest } from '../../ports/delivery-claims.ts'

export interface Candidate {
  readonly deliveryId: string
  readonly lane: string
  readonly isFirstAttempt: boolean
}

export interface UnderWay {
  readonly lane: string
  readonly total: number
  readonly retries: number
}

interface Lane {
  readonly firstAttempts: string[]
  readonly retries: string[]
  total: number
  /** Retries under way. */
  retriesUnderWay: number
}

/** Which of what is due is handed out: the rule of DeliveryClaims.claimDue. Candidates are the longest due first. */
export function chooseClaims(
  request: ClaimRequest,
  { candidates, underWay, turn }: ChooseFrom,
): readonly string[] {
  const lanes = rotate([...collectLanes(candidates, underWay)], turn)
  const chosen: string[] = []
  const take = (queue: readonly string[], lane: Lane, room: number) => {
    const taken = queue.slice(0, Math.max(0, Math.min(room, request.limit - chosen.length)))
    lane.total += taken.length
    chosen.push(...taken)
  }
  const boundOf = (name: string) => request.exceptions.get(name) ?? request.perLane
  for (const [name, lane] of lanes) {
    take(lane.firstAttempts, lane, boundOf(name) - lane.total - placesKept(lane, boundOf(name)))
  }
  for (const [name, lane] of lanes) take(lane.retries, lane, boundOf(name) - lane.total)
  return chosen
}

export interface ChooseFrom {
  readonly candidates: readonly Candidate[]
  readonly underWay: readonly UnderWay[]
  /** Another one each time, so that no lane is always the last. */
  readonly turn: number
}

/** First attempts that never end leave a place to a retry. */
function placesKept({ retries, retriesUnderWay }: Lane, bound: number): number {
  return retriesUnderWay === 0 && bound > 1 && retries.length > 0 ? 1 : 0
}

function collectLanes(
  candidates: readonly Candidate[],
  underWay: readonly UnderWay[],
): Map<string, Lane> {
  const lanes = new Map<string, Lane>()
  for (const { lane: name, isFirstAttempt, deliveryId } of candidates) {
    const lane = lanes.get(name) ?? emptyLane()
    lanes.set(name, lane)
    if (isFirstAttempt) lane.firstAttempts.push(deliveryId)
    else lane.retries.push(deliveryId)
  }
  for (const { lane: name, total, retries } of underWay) {
    const lane = lanes.get(name)
    if (lane) Object.assign(lane, { total, retriesUnderWay: retries })
  }
  return lanes
}

function emptyLane(): Lane {
  return { firstAttempts: [], retries: [], total: 0, retriesUnderWay: 0 }
}

function rotate<Item>(items: readonly Item[], turn: number): Item[] {
  const begin = items.length > 0 ? turn % items.length : 0
  return [...items.slice(begin), ...items.slice(0, begin)]
}
