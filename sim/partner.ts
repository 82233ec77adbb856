import { headersFor, ibanOf, mailOf, profileOf, referenceOf } from './customers.ts'
import type { Dice } from './dice.ts'
import type { Investor, Ledger, Order, Organization, RecordedCall } from './ledger.ts'
import type { Status } from './orders.ts'
import type { Answer } from './service.ts'
import { Sessions, unexpected } from './sessions.ts'
import type { World } from './world.ts'

/** The life of an idempotency key is a day. The clock may be moved meanwhile. */
const longestKeyMs = 23 * 3_600_000

/** The life of a token, and some time more, because a clock may be moved back meanwhile. */
const longestTokenMs = 1_030_000

/**
 * The programs of the partners. They repeat a request that gets no answer, as the specification
 * requires.
 */
export class Partners {
  readonly #world: World
  readonly #ledger: Ledger
  readonly #sessions: Sessions

  constructor(world: World, ledger: Ledger) {
    this.#world = world
    this.#ledger = ledger
    this.#sessions = new Sessions(world, ledger)
  }

  async act(dice: Dice): Promise<void> {
    const organization = dice.pick(this.#ledger.organizations)
    if (!organization) return
    const known = organization.investors.filter(({ investorId }) => investorId !== undefined)
    const investor = dice.pick(known)
    if (!investor || (organization.investors.length < 4 && dice.chance(0.3))) {
      return this.provision(organization, dice)
    }
    return this.actFor(investor, dice)
  }

  async actFor(investor: Investor, dice: Dice): Promise<void> {
    const { organization } = investor
    const order = dice.pick(investor.orders)
    const what = dice.weigh({
      ...{
        place: 12,
        again: order ? 5 : 0,
        otherBody: order ? 2 : 0,
        cancel: order ? 6 : 0,
        read: order ? 4 : 0,
      },
      ...{
        list: 5,
        holdings: 5,
        provisionAgain: 2,
        profile: 1,
        catalogue: 1,
        foreign: 2,
        forged: 1,
        expired: 1,
      },
    })
    if (what === 'place') return this.place(this.newOrder(investor, dice), dice)
    if (what === 'again' && order) return this.place(order, dice)
    if (what === 'otherBody' && order) return this.#useKeyAgain(order)
    if (what === 'cancel' && order) return this.cancel(order)
    if (what === 'read' && order) return this.read(order)
    if (what === 'list') return void (await this.list(investor, dice.between(1, 4)))
    if (what === 'holdings') return this.holdings(investor)
    if (what === 'provisionAgain') return this.#provision(investor)
    if (what === 'profile') return this.#profile(investor)
    if (what === 'catalogue') return this.#catalogue(organization)
    if (what === 'expired') return this.#expired(organization)
    return what === 'foreign' ? this.#foreign(organization, dice) : this.#forged(organization)
  }

  async provision(organization: Organization, dice: Dice): Promise<void> {
    const number = organization.investors.length + 1
    const reference = `${organization.name}-customer-${number}`
    const investor: Investor = {
      organization,
      reference,
      iban: ibanOf(dice),
      investorId: undefined,
      surname: `Geheim${organization.name}x${number}`,
      calls: [],
      orders: [],
    }
    organization.investors.push(investor)
    for (const text of [investor.iban, investor.surname]) this.#ledger.confidential.add(text)
    // Programs of the partner do not wait for one another.
    const calls = Array.from({ length: dice.chance(0.2) ? 2 : 1 }, () => this.#provision(investor))
    await Promise.all(calls)
  }

  async #provision(investor: Investor): Promise<void> {
    const { organization, reference } = investor
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const body = {
        partner_customer_ref: reference,
        email: mailOf(investor),
        profile: profileOf(investor),
      }
      const answer = await this.#sessions.ask(organization, {
        method: 'POST',
        path: '/v1/investors',
        body,
      })
      if (answer?.status === 201 || answer?.status === 200) {
        this.#world.counts.acknowledged += 1
        const id = String(answer.body.investor_id)
        if (investor.investorId !== undefined && investor.investorId !== id) {
          this.#world.violate(`${reference} was registered twice`)
        }
        if (investor.investorId === undefined) this.#world.tell(`${reference} is registered`)
        investor.investorId = id
        this.#ledger.owners.set(id, organization.organizationId)
        return
      }
      if (answer && answer.status < 500) return unexpected(this.#world, 'provision', answer)
      await this.#backOff(attempt)
    }
  }

  newOrder(
    investor: Investor,
    dice: Dice,
    cooperative = dice.pick(this.#ledger.cooperatives),
  ): Order {
    if (!cooperative) throw new Error('There is no cooperative.')
    const shareCount = dice.between(1, 9)
    const key = `${investor.reference}-order-${investor.orders.length + 1}`
    const at = '2026-11-01T12:00:00Z'
    const body = JSON.stringify({
      cooperative_id: cooperative.cooperativeId,
      share_count: shareCount,
      sepa_mandate: { signed_at: at, reference: referenceOf(key) },
      statute_consent_given_at: at,
    })
    const order: Order = {
      investor,
      key,
      cooperative,
      shareCount,
      body,
      sharePurchaseId: undefined,
      firstSentMs: undefined,
      frozen: undefined,
      isUncertain: false,
      acknowledged: new Set<Status>(),
      uncertain: new Set(),
      isRefunded: false,
    }
    investor.orders.push(order)
    return order
  }

  /**
   * Sends the order with its key, so that the service places it once even if it is sent several
   * times.
   */
  async place(order: Order, dice: Dice): Promise<void> {
    const { investor, key, body } = order
    order.firstSentMs ??= this.#world.loop.nowMs
    if (this.#isKeyOld(order)) return
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const call = this.#begin(investor, { kind: 'place', order, answered: undefined })
      const path = `/v1/investors/${investor.investorId}/share-purchases`
      const headers = headersFor(key)
      const isRepeated = order.acknowledged.size > 0
      const answer = await this.#sessions.ask(investor.organization, {
        method: 'POST',
        path,
        body,
        headers,
        recorded: call,
      })
      if (answer?.status === 201) {
        this.#end(call)
        const status = answer.body.status as Status
        if (call.kind === 'place') call.answered = status
        if (order.acknowledged.size === 0) this.#world.tell(`${key} is placed`)
        this.#world.counts.acknowledged += 1
        this.saw(order, answer.body)
        order.acknowledged.add('submitted')
        return
      }
      if (answer && answer.status < 500 && answer.status !== 429) {
        this.#end(call)
        if (call.kind === 'place') call.answered = 'refused'
        // Another call with the key may have been acknowledged after this one had been refused.
        if (isRepeated) unexpected(this.#world, `repeat ${key}`, answer)
        return
      }
      // A write that failed may reappear after a restart.
      if (call.isReached && answer?.status !== 429) order.isUncertain = true
      if (attempt === 0 && dice.chance(0.1)) return
      await this.#backOff(attempt)
    }
  }

  /** Whether the service may have forgotten the key of the order. */
  #isKeyOld({ firstSentMs = 0 }: Order): boolean {
    return this.#world.loop.nowMs - firstSentMs > longestKeyMs
  }

  /** Sends another order with a used key, which the service must refuse. */
  async #useKeyAgain(order: Order): Promise<void> {
    const { investor, key, body, shareCount, acknowledged } = order
    if (acknowledged.size === 0 || this.#isKeyOld(order)) return
    const path = `/v1/investors/${investor.investorId}/share-purchases`
    const answer = await this.#sessions.ask(investor.organization, {
      method: 'POST',
      path,
      headers: headersFor(key),
      body: JSON.stringify({ ...JSON.parse(body), share_count: shareCount + 1 }),
    })
    if (answer && answer.status < 400) unexpected(this.#world, `another body for ${key}`, answer)
  }

  async cancel(order: Order): Promise<void> {
    const { investor, sharePurchaseId } = order
    if (sharePurchaseId === undefined) return
    const call = this.#begin(investor, {
      kind: 'decide',
      order,
      decision: 'cancel',
      answered: undefined,
    })
    const path = `/v1/investors/${investor.investorId}/share-purchases/${sharePurchaseId}/cancel`
    const answer = await this.#sessions.ask(investor.organization, {
      method: 'POST',
      path,
      recorded: call,
    })
    this.decided(call, answer)
  }

  /** Records the answer to a decision. */
  decided(call: RecordedCall, answer: Answer | undefined): void {
    if (call.kind !== 'decide') return
    const { order, decision } = call
    if (answer?.status === 200) {
      this.#end(call)
      call.answered = 'done'
      this.#world.counts.acknowledged += 1
      this.#world.tell(`${decision} ${order.key}`)
      const status = answer.body.status as Status
      order.acknowledged.add(status)
    } else if (answer?.status === 409) {
      this.#end(call)
      const isUnfit = String(answer.body.code).startsWith('PAYMENT_')
      call.answered = isUnfit ? 'unfit' : 'refused'
      if (isUnfit && decision === 'cancel') unexpected(this.#world, `cancel ${order.key}`, answer)
    } else if (answer && answer.status !== 503 && answer.status !== 429) {
      unexpected(this.#world, `${decision} ${order.key}`, answer)
    } else if (call.isReached) order.uncertain.add(decision)
  }

  decide(order: Order, decision: 'approve' | 'settle' | 'reject'): RecordedCall {
    return this.#begin(order.investor, { kind: 'decide', order, decision, answered: undefined })
  }

  async read(order: Order): Promise<void> {
    const { investor, sharePurchaseId } = order
    if (sharePurchaseId === undefined) return
    const seen = new Map<Order, Status>()
    const call = this.#begin(investor, { kind: 'see', seen, isAll: false })
    const path = `/v1/investors/${investor.investorId}/share-purchases/${sharePurchaseId}`
    const answer = await this.#sessions.ask(investor.organization, { method: 'GET', path })
    if (answer?.status !== 200) return this.#drop(call, answer)
    this.saw(order, answer.body)
    seen.set(order, answer.body.status)
    this.#end(call)
  }

  /** Reads all pages. Only a list with a single page shows the orders of one moment. */
  /** @returns the keys of all pages; undefined without an answer */
  async list(investor: Investor, size: number): Promise<readonly string[] | undefined> {
    const keys: string[] = []
    for (let page = 1; ; page += 1) {
      const seen = new Map<Order, Status>()
      const call = this.#begin(investor, { kind: 'see', seen, isAll: false })
      const path = `/v1/investors/${investor.investorId}/share-purchases?size=${size}&page=${page}`
      const answer = await this.#sessions.ask(investor.organization, { method: 'GET', path })
      if (answer?.status !== 200) {
        this.#drop(call, answer)
        return undefined
      }
      const { items, has_next: hasNext, total_items: total } = answer.body
      for (const item of items) {
        const order = this.#orderOf(investor, item)
        if (order) seen.set(order, item.status)
      }
      if (total === items.length) Object.assign(call, { isAll: true })
      this.#end(call)
      for (const { key } of seen.keys()) keys.push(key)
      if (!hasNext) return keys
    }
  }

  async holdings(investor: Investor): Promise<void> {
    const holdings = new Map<string, { shares: number; pendingShares: number }>()
    const call = this.#begin(investor, { kind: 'hold', holdings })
    const path = `/v1/investors/${investor.investorId}/holdings?size=100`
    const answer = await this.#sessions.ask(investor.organization, { method: 'GET', path })
    if (answer?.status !== 200) return this.#drop(call, answer)
    for (const { cooperative_id: id, shares, pending_shares: pendingShares } of answer.body.items) {
      holdings.set(id, { shares, pendingShares })
    }
    this.#end(call)
  }

  /** Remembers an order. Only its status may change later. */
  saw(order: Order, body: Answer['body']): void {
    const world = this.#world
    const id = String(body.share_purchase_id)
    if (order.sharePurchaseId !== undefined && order.sharePurchaseId !== id) {
      world.violate(`${order.key} was placed twice`)
    }
    order.sharePurchaseId = id
    this.#ledger.byId.set(id, order)
    this.#ledger.owners.set(id, order.investor.organization.organizationId)
    const {
      share_count: shares,
      price_per_share: price,
      entry_fee: fee,
      total,
      cooperative_id,
    } = body
    const frozen = JSON.stringify({ shares, price, fee, total, cooperative_id })
    if (order.frozen !== undefined && order.frozen !== frozen) {
      world.violate(`${order.key} has changed from ${order.frozen} to ${frozen}`)
    }
    order.frozen = frozen
    if (shares !== order.shareCount) world.violate(`${order.key} has ${shares} shares`)
  }

  #orderOf(investor: Investor, item: Answer['body']): Order | undefined {
    const order = investor.orders.find(
      ({ key }) => referenceOf(key) === item.sepa_mandate.reference,
    )
    if (!order)
      this.#world.violate(`the list of ${investor.reference} has an order that nobody placed`)
    else this.saw(order, item)
    return order
  }

  async #profile(investor: Investor): Promise<void> {
    const path = `/v1/investors/${investor.investorId}/profile`
    const answer = await this.#sessions.ask(investor.organization, {
      method: 'PUT',
      path,
      body: profileOf(investor),
    })
    if (answer && answer.status !== 200 && answer.status < 500)
      unexpected(this.#world, 'profile', answer)
  }

  async #catalogue(organization: Organization): Promise<void> {
    const path = '/v1/cooperatives?size=2'
    const answer = await this.#sessions.ask(organization, { method: 'GET', path })
    if (answer && answer.status !== 200 && answer.status < 500)
      unexpected(this.#world, 'catalogue', answer)
  }

  /**
   * Asks for a record of another organization. The service must answer as if the record did not
   * exist.
   */
  async #foreign(organization: Organization, dice: Dice): Promise<void> {
    const others = this.#ledger.investors.filter((one) => one.organization !== organization)
    const victim = dice.pick(others.filter(({ investorId }) => investorId !== undefined))
    if (!victim) return
    const order = dice.pick(victim.orders)
    const below = order?.sharePurchaseId
      ? `/share-purchases/${order.sharePurchaseId}`
      : dice.pick(['', '/holdings', '/share-purchases'])
    const path = `/v1/investors/${victim.investorId}${below}`
    const answer = await this.#sessions.ask(organization, { method: 'GET', path })
    if (answer && answer.status !== 404 && answer.status < 500)
      unexpected(this.#world, 'foreign', answer)
  }

  async #expired({ firstToken }: Organization): Promise<void> {
    const { loop } = this.#world
    if (!firstToken || loop.nowMs - firstToken.atMs < longestTokenMs) return
    const headers = { authorization: `Bearer ${firstToken.token}` }
    const answer = await this.#world.call('partners', { method: 'GET', path: '/v1/me', headers })
    if (answer && answer.status !== 401) unexpected(this.#world, 'an expired token', answer)
  }

  async #forged({ token }: Organization): Promise<void> {
    if (token === undefined) return
    const half = Math.floor(token.length / 2)
    const other = token[half] === 'A' ? 'B' : 'A'
    const forged = `${token.slice(0, half)}${other}${token.slice(half + 1)}`
    const headers = { authorization: `Bearer ${forged}` }
    const answer = await this.#world.call('partners', { method: 'GET', path: '/v1/me', headers })
    if (answer && answer.status !== 401) unexpected(this.#world, 'a forged token', answer)
  }

  #begin(investor: Investor, what: Begun): RecordedCall {
    const call = {
      ...what,
      from: this.#world.ticks++,
      to: undefined,
      isReached: false,
    } as RecordedCall
    investor.calls.push(call)
    return call
  }

  #end(call: RecordedCall): void {
    call.to = this.#world.ticks++
  }

  /** Forgets a read without an answer, because it proves nothing. */
  #drop(call: RecordedCall, answer: Answer | undefined): void {
    for (const { calls } of this.#ledger.investors) {
      const at = calls.indexOf(call)
      if (at >= 0) calls.splice(at, 1)
    }
    if (answer && answer.status < 500 && answer.status !== 429)
      unexpected(this.#world, 'a read', answer)
  }

  #backOff(attempt: number): Promise<void> {
    return this.#world.loop.pause(1000 * 2 ** attempt + this.#world.dice.between(0, 500))
  }
}

type Without<Call> = Call extends unknown ? Omit<Call, 'from' | 'to' | 'isReached'> : never
type Begun = Without<RecordedCall>
