import type { Timestamp } from '../../domain/timestamp.ts'
import { addSeconds } from '../../domain/timestamp.ts'
import type { Delivery, DeliveryKind } from '../../domain/webhooks/delivery.ts'
import type { ClaimRequest, DeliveryClaims } from '../../ports/delivery-claims.ts'
import { type Candidate, chooseClaims, type UnderWay } from './choose-claims.ts'
import type { OtherInstances } from './other-instances.ts'
import { type Ask, textArray } from './statements.ts'
import { type DeliveryRow, deliveryTable as deliveries } from './tables/webhooks.ts'
import { readTimestamp } from './timestamps.ts'
import type { Transaction } from './transaction.ts'

const underWay = `select lane, count(*)::integer as total,
    (count(*) filter (where not is_first_attempt))::integer as retries
  from deliveries where claimed_until > $1 and is_under_way group by lane`
const dueIn = (attempt: string) => `(
    select d.delivery_id, d.lane, d.is_first_attempt, d.next_attempt_at, d.sequence from deliveries d
    where d.state = 'pending' and d.lane = l.lane and ${attempt} and d.next_attempt_at <= $1
      and (d.claimed_until is null or d.claimed_until <= $1)
    order by d.next_attempt_at, d.sequence limit $2::bigint
  )`
// From one lane to the next by the index, however many deliveries each has.
const due = `with recursive lanes as (
    (select lane from deliveries where state = 'pending' order by lane limit 1)
    union all
    select (select d.lane from deliveries d where d.state = 'pending' and d.lane > l.lane
      order by d.lane limit 1) from lanes l where l.lane is not null
  )
  select c.delivery_id as "deliveryId", c.lane, c.is_first_attempt as "isFirstAttempt"
  from lanes l cross join lateral (
    ${dueIn('d.is_first_attempt')} union all ${dueIn('not d.is_first_attempt')}
  ) c where l.lane is not null order by c.lane, c.next_attempt_at, c.sequence`
// Whatever somebody is just writing is left to the next look. One by one by the index: a condition on the whole array
// would read that array anew for each delivery that is due. What else is asked stands in a form that no index answers:
// by poor statistics another index looks as good as the id's, and would be read whole for each.
const claim = `update deliveries t set is_under_way = true,
    claimed_until = case t.kind when 'mail' then $4::timestamptz else $2::timestamptz end
  from unnest($1::text::text[]) as chosen (delivery_id) cross join lateral (
    select d.ctid from deliveries d
    where d.delivery_id = chosen.delivery_id
      and coalesce(d.state = 'pending' and d.next_attempt_at <= $3, false)
    offset 0 for update skip locked
  ) taken
  where t.ctid = taken.ctid returning ${deliveries.selected}`
const release = `update deliveries set claimed_until = $2, is_under_way = false
  where delivery_id = $1 and claimed_until is not null`
const nextOf = (kind: string) => `(
    select next_attempt_at as at from deliveries
    where kind = '${kind}' and state = 'pending' and next_attempt_at > $1
    order by next_attempt_at limit 1
  )`
const next = `select min(at) as at from (
    ${nextOf('webhook')} union all ${nextOf('mail')} union all (
      select claimed_until from deliveries where claimed_until > $1 order by claimed_until limit 1
    )
  ) times`

export interface ClaimsDatabase {
  readonly ask: Ask
  readonly transact: <Result>(
    work: (transaction: Transaction) => Promise<Result>,
  ) => Promise<Result>
  readonly others: Pick<OtherInstances, 'start' | 'stop'>
}

/** Claims are leases in the rows themselves: they hold for all instances, and end with the time of one that is gone. */
export class PostgresDeliveryClaims implements DeliveryClaims {
  readonly #database: ClaimsDatabase
  readonly #listeners = new Set<() => void>()
  #turn = 0

  constructor(database: ClaimsDatabase) {
    this.#database = database
  }

  /** One at a time, because the bounds of the lanes hold for all together. */
  claimDue(request: ClaimRequest): Promise<readonly Delivery[]> {
    if (request.limit <= 0) return Promise.resolve([])
    const turn = this.#turn++
    return this.#database.transact(async (transaction) => {
      transaction.lockName('claims')
      const chosen = await chooseFrom(transaction, request, turn)
      if (chosen.length === 0) return []
      const { now, leaseSeconds } = request
      const until = (kind: DeliveryKind) => addSeconds(now, leaseSeconds[kind])
      const values = [textArray(chosen), until('webhook'), now, until('mail')]
      return inOrderOf(chosen, deliveries.all(await transaction.ask<DeliveryRow>(claim, values)))
    })
  }

  async nextDueAt(now: Timestamp): Promise<Timestamp | undefined> {
    const [row] = await this.#database.ask<{ readonly at: string | null }>(next, [now])
    return row?.at ? readTimestamp(row.at) : undefined
  }

  async release(deliveryId: string, notBefore: Timestamp): Promise<void> {
    await this.#database.transact(({ ask }) => ask(release, [deliveryId, notBefore]))
  }

  watch(listener: () => void): () => void {
    const { others } = this.#database
    if (this.#listeners.size === 0) others.start(() => this.#wake())
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) others.stop()
    }
  }

  /** After each write, with the tables that it changed. */
  noteCommitted(changed: ReadonlySet<string>): void {
    if (changed.has(deliveries.name)) this.#wake()
  }

  #wake(): void {
    for (const listener of this.#listeners) listener()
  }
}

async function chooseFrom({ ask }: Transaction, request: ClaimRequest, turn: number) {
  const { now, limit, perLane, exceptions } = request
  const most = Math.min(limit, Math.max(perLane, ...exceptions.values()))
  const [under, candidates] = await Promise.all([
    ask<UnderWay>(underWay, [now]),
    ask<Candidate>(due, [now, most]),
  ])
  return chooseClaims(request, { candidates, underWay: under, turn })
}

function inOrderOf(ids: readonly string[], claimed: readonly Delivery[]): readonly Delivery[] {
  const byId = new Map(claimed.map((delivery) => [delivery.deliveryId, delivery]))
  return ids.map((id) => byId.get(id)).filter((delivery) => delivery !== undefined)
}
