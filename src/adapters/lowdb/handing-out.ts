import { addSeconds, type Timestamp } from '../../domain/timestamp.ts'
import { type Delivery, isFirstAttempt, laneOf } from '../../domain/webhooks/delivery.ts'
import type { ClaimRequest } from '../../ports/delivery-claims.ts'
import type { GroupIndex } from './collection.ts'
import type { Collections } from './collections.ts'
import type { View } from './view.ts'
import { firstAttemptsByLane, retriesByLane } from './webhook-collections.ts'

export interface Claim {
  /** As it was when it was claimed. */
  readonly delivery: Delivery
  readonly until: Timestamp
  /** Not so when it was given back and is left alone for a while. */
  readonly isUnderWay: boolean
}

interface UnderWay {
  total: number
  retries: number
}

interface Start {
  readonly request: ClaimRequest
  readonly claims: Map<string, Claim>
  readonly turn: number
}

/** One handing out, within one turn of the event loop. */
export class HandingOut {
  readonly #data: Collections
  readonly #view: View
  readonly #start: Start
  readonly #underWay = new Map<string, UnderWay>()
  readonly #claimed: Delivery[] = []

  constructor(data: Collections, view: View, start: Start) {
    this.#data = data
    this.#view = view
    this.#start = start
    for (const { delivery, isUnderWay } of start.claims.values()) {
      if (isUnderWay) this.#count(delivery)
    }
  }

  claim(): readonly Delivery[] {
    for (const lane of this.#lanes(firstAttemptsByLane)) this.#claimFirstAttempts(lane)
    for (const lane of this.#lanes(retriesByLane)) this.#take(retriesByLane, lane, this.#room(lane))
    return this.#claimed
  }

  /** Beginning elsewhere each time, so that none is always the last. */
  #lanes(queue: GroupIndex<Delivery>): string[] {
    const lanes = [...this.#data.deliveries.groups(queue).keys()]
    const begin = lanes.length > 0 ? this.#start.turn % lanes.length : 0
    return [...lanes.slice(begin), ...lanes.slice(0, begin)]
  }

  #claimFirstAttempts(lane: string): void {
    const { total, retries } = this.#underWay.get(lane) ?? { total: 0, retries: 0 }
    const keepsPlace = retries === 0 && this.#bound(lane) > 1 && this.#hasDueRetry(lane)
    const room = this.#bound(lane) - total - (keepsPlace ? 1 : 0)
    this.#take(firstAttemptsByLane, lane, room)
  }

  #hasDueRetry(lane: string): boolean {
    for (const retry of this.#data.deliveries.group(retriesByLane, lane) ?? []) {
      if (!this.#isDue(retry)) return false
      if (!this.#start.claims.has(retry.deliveryId)) return true
    }
    return false
  }

  #take(queue: GroupIndex<Delivery>, lane: string, room: number): void {
    const { limit } = this.#start.request
    const bound = Math.min(this.#claimed.length + room, limit)
    if (this.#claimed.length >= bound) return
    for (const delivery of this.#data.deliveries.group(queue, lane) ?? []) {
      if (this.#claimed.length >= bound || !this.#isDue(delivery)) return
      if (!this.#start.claims.has(delivery.deliveryId)) this.#add(delivery)
    }
  }

  #add(delivery: Delivery): void {
    const { claims, request } = this.#start
    const until = addSeconds(request.now, request.leaseSeconds[delivery.target.kind])
    // Handing out waits for what was looked at by way of the view: for these, and not for all others.
    this.#view.get(this.#data.deliveries, delivery.deliveryId)
    claims.set(delivery.deliveryId, { delivery, until, isUnderWay: true })
    this.#claimed.push(delivery)
    this.#count(delivery)
  }

  #count(delivery: Delivery): void {
    const lane = laneOf(delivery.target)
    const counts = this.#underWay.get(lane) ?? { total: 0, retries: 0 }
    counts.total += 1
    if (!isFirstAttempt(delivery)) counts.retries += 1
    this.#underWay.set(lane, counts)
  }

  #room(lane: string): number {
    return this.#bound(lane) - (this.#underWay.get(lane)?.total ?? 0)
  }

  #bound(lane: string): number {
    const { exceptions, perLane } = this.#start.request
    return exceptions.get(lane) ?? perLane
  }

  #isDue({ nextAttemptAt }: Delivery): boolean {
    return nextAttemptAt !== null && nextAttemptAt <= this.#start.request.now
  }
}
