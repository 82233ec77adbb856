import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { ReceiverLeases } from '../../ports/receiver-leases.ts'
import type { Database } from './database.ts'

/**
 * When an instance dies, its receivers get nothing for this time. It is longer than a failover of a
 * nearby database and shorter than the first retry.
 */
export const leaseSeconds = 10

/** How long to wait before asking again for a receiver that was not free. */
const askAgainMs = 1000

/**
 * Each instance also has a lease under its own name, by which others count instances. The clock of
 * the database decides, so the clocks of instances do not matter. One statement renews all leases.
 */
const renew = `with asked as (
    select $1::text as owner, interval '1 second' * $4::text::float as lease
  ), given as (
    delete from receiver_leases
    where owner = $1 and receiver in (select json_array_elements_text($2::text::json))
  ), living as (
    select receiver, owner from receiver_leases where until > clock_timestamp()
      and receiver not in (select json_array_elements_text($2::text::json))
  ), wanted as (
    select json_array_elements_text($3::text::json) as receiver
  ), shares as (
    select ceil((select count(*) from (
        select receiver from living where receiver not like 'instance %' union select receiver from wanted
      ) all_receivers)::float
      / (select count(*) + 1 from living, asked where receiver like 'instance %' and living.owner <> asked.owner)
    )::integer as share
  ), renewed as (
    update receiver_leases l set until = clock_timestamp() + asked.lease from asked
    where l.owner = asked.owner and l.receiver not like 'instance %'
      and l.receiver not in (select json_array_elements_text($2::text::json))
    returning l.receiver
  ), taken as (
    insert into receiver_leases as l (receiver, owner, until)
    select receiver, owner, clock_timestamp() + lease from asked, (
      (select 'instance ' || owner as receiver from asked)
      union all
      (select w.receiver from wanted w where not exists (
          select from receiver_leases l, asked where l.receiver = w.receiver
            and (l.until > clock_timestamp() or l.owner = asked.owner)
        ) order by w.receiver limit greatest(0, (select share from shares) - (
          select count(*) from receiver_leases l, asked where l.owner = asked.owner
            and l.receiver not like 'instance %'
            and l.receiver not in (select json_array_elements_text($2::text::json))
        )))
    ) free
    on conflict (receiver) do update set owner = excluded.owner, until = excluded.until
      where l.owner = excluded.owner or l.until <= clock_timestamp()
    returning receiver
  ), forgotten as (
    delete from receiver_leases where receiver like 'instance %'
      and until < clock_timestamp() - interval '1 minute' and owner <> $1
  )
  select (select share from shares), (select coalesce(json_agg(receiver), '[]') from (
      select receiver from renewed union all select receiver from taken where receiver not like 'instance %'
    ) owned) as owned`
const giveBackAll = 'delete from receiver_leases where owner = $1'

/** Leases in the database. An instance renews all of its leases together, so they expire together. */
export class PostgresReceiverLeases implements ReceiverLeases {
  /** Two renewals can fail before a lease expires. */
  readonly renewEveryMs = (leaseSeconds * 1000) / 3
  readonly #database: Database
  readonly #owner = randomUUID()
  #owned: ReadonlySet<string> = new Set()
  #leaving = new Set<string>()
  #untilMs = Number.NEGATIVE_INFINITY
  /** The receivers that were requested since the last renewal. */
  #wanted = new Set<string>()
  readonly #refused = new LRUCache<string, true>({ max: 10_000, ttl: askAgainMs })
  #asking: Promise<void> = Promise.resolve()

  constructor(database: Database) {
    this.#database = database
  }

  acquire(receivers: readonly string[]): Promise<void> {
    for (const receiver of receivers) this.#wanted.add(receiver)
    if (!receivers.some((receiver) => this.#isWorthAsking(receiver))) return Promise.resolve()
    return this.#inTurn(async () => {
      const missing = receivers.filter((receiver) => this.#isWorthAsking(receiver))
      if (missing.length > 0) await this.#ask([], missing)
    })
  }

  maySend(receiver: string): boolean {
    return this.isOwned(receiver) && !this.#leaving.has(receiver)
  }

  isOwned(receiver: string): boolean {
    return this.#owned.has(receiver) && performance.now() < this.#untilMs
  }

  renew(inUse: ReadonlySet<string>): Promise<void> {
    return this.#inTurn(async () => {
      const wanted = this.#wanted
      this.#wanted = new Set()
      const isIdle = (receiver: string) => !wanted.has(receiver) || this.#leaving.has(receiver)
      await this.#ask(
        [...this.#owned].filter((one) => isIdle(one) && !inUse.has(one)),
        [...wanted],
      )
      const leaving = [...this.#leaving].filter((receiver) => !inUse.has(receiver))
      if (leaving.length > 0) await this.#ask(leaving, [])
    })
  }

  releaseAll(): Promise<void> {
    return this.#inTurn(async () => {
      this.#owned = new Set()
      await this.#database.run(giveBackAll, [this.#owner])
    })
  }

  #isWorthAsking(receiver: string): boolean {
    return !this.isOwned(receiver) && !this.#refused.has(receiver)
  }

  async #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#asking.then(work)
    this.#asking = turn.catch(() => undefined)
    return turn
  }

  async #ask(given: readonly string[], wanted: readonly string[]): Promise<void> {
    // Until the database has answered, nothing is sent to these receivers.
    this.#owned = new Set([...this.#owned].filter((receiver) => !given.includes(receiver)))
    const askedMs = performance.now()
    const values = [this.#owner, JSON.stringify(given), JSON.stringify(wanted), `${leaseSeconds}`]
    const [renewed] = await this.#database.run<{
      readonly share: number
      readonly owned: readonly string[]
    }>(renew, values)
    if (!renewed) return
    this.#owned = new Set(renewed.owned)
    this.#untilMs = askedMs + leaseSeconds * 1000
    this.#leaving = new Set(renewed.owned.slice(renewed.share))
    for (const receiver of wanted) {
      if (!this.#owned.has(receiver)) this.#refused.set(receiver, true)
    }
  }
}
