import type { Timestamp } from '../../domain/timestamp.ts'
import { type Delivery, isUnfinished } from '../../domain/webhooks/delivery.ts'
import type { ClaimRequest, DeliveryClaims } from '../../ports/delivery-claims.ts'
import type { Collections } from './collections.ts'
import { type Claim, HandingOut } from './handing-out.ts'
import type { Change } from './staged.ts'
import type { View } from './view.ts'
import { pendingByKind } from './webhook-collections.ts'

type Look = <Result>(work: (data: Collections, view: View) => Result) => Promise<Result>

/** Claims in memory: one process owns the store, and whatever it had claimed ends with it. */
export class VolatileDeliveryClaims implements DeliveryClaims {
  readonly #look: Look
  readonly #claims = new Map<string, Claim>()
  readonly #listeners = new Set<() => void>()
  #turn = 0

  constructor(look: Look) {
    this.#look = look
  }

  /** What is handed out is durable: nobody is told of an order that a crash could still undo. */
  claimDue(request: ClaimRequest): Promise<readonly Delivery[]> {
    return this.#look((data, view) => {
      this.#endClaims(data, request.now)
      return new HandingOut(data, view, {
        request,
        claims: this.#claims,
        turn: this.#turn++,
      }).claim()
    })
  }

  nextDueAt(now: Timestamp): Promise<Timestamp | undefined> {
    return this.#look(({ deliveries }, view) => {
      const isLater = ({ nextAttemptAt }: Delivery) => nextAttemptAt !== null && nextAttemptAt > now
      const times = [...this.#claims.values()].map(({ until }) => until)
      for (const group of view.groups(deliveries, pendingByKind).values()) {
        for (const { nextAttemptAt } of group.from(isLater)) {
          if (nextAttemptAt) times.push(nextAttemptAt)
          break
        }
      }
      return times.sort()[0]
    })
  }

  async release(deliveryId: string, notBefore: Timestamp): Promise<void> {
    const claim = this.#claims.get(deliveryId)
    if (claim) this.#claims.set(deliveryId, { ...claim, until: notBefore, isUnderWay: false })
  }

  watch(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** After each write that has become durable. */
  noteDurable(changes: readonly Change[]): void {
    const changed = changes.filter(({ collection }) => collection === 'deliveries')
    if (changed.length === 0) return
    for (const change of changed) this.#endClaimOf(change)
    for (const listener of this.#listeners) listener()
  }

  /** By what was written: another round may have begun since, which tells nothing of the one that was claimed. */
  #endClaimOf({ key, json }: Change): void {
    const claim = this.#claims.get(key)
    if (!claim) return
    const stored: Delivery | undefined = json === undefined ? undefined : JSON.parse(json)
    if (hasEnded(claim.delivery, stored)) this.#claims.delete(key)
  }

  #endClaims({ deliveries }: Collections, now: Timestamp): void {
    for (const [deliveryId, { delivery, until }] of this.#claims) {
      const isOver = until <= now || hasEnded(delivery, deliveries.get(deliveryId))
      if (isOver) this.#claims.delete(deliveryId)
    }
  }
}

/** With what came of the attempt. */
function hasEnded(claimed: Delivery, stored: Delivery | undefined): boolean {
  return !(stored && isUnfinished(stored)) || stored.attempts.length !== claimed.attempts.length
}
