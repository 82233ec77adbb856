import type { Bank, BankFile } from './bank.ts'
import { finalCodes } from './bank.ts'
import type { Dice } from './dice.ts'
import type { Cooperative, Ledger } from './ledger.ts'
import { judgeStates } from './money-oracles.ts'
import type { Operators } from './operators.ts'
import type { Partners } from './partner.ts'
import type { Answer } from './service.ts'
import type { World } from './world.ts'

type Row = Answer['body']

interface Collection {
  /** The file that the operators have; undefined before its first export. */
  text: string | undefined
  /** Whether the file goes to the bank, after which nobody says that the bank has not taken it. */
  isUploaded: boolean
  /** Whether somebody has said that the bank has not taken the file. */
  isGivenUp: boolean
  /** Whether a cancellation was acknowledged that did not say so. */
  isCancelled: boolean
  /** Whether a cancellation may have been interrupted. */
  isUncertain: boolean
}

const accounts = ['DE02120300000000202051', 'DE02100500000054540402', 'DE02500105170137075030']
const creditorIds = ['DE98ZZZ09999999999', 'DE60ZZZ00000011111']

/** The people who collect money: they make files for the bank, and import what it sends. */
export class Treasurers {
  readonly #world: World
  readonly #ledger: Ledger
  readonly #operators: Operators
  readonly #bank: Bank
  readonly #collections = new Map<string, Collection>()
  /** The operator who confirms what others have created. */
  #secondToken = ''

  constructor(world: World, ledger: Ledger, { operators, bank }: Colleagues) {
    this.#world = world
    this.#ledger = ledger
    this.#operators = operators
    this.#bank = bank
  }

  async setUp(dice: Dice): Promise<void> {
    const created = await this.#world.operate('operator.create', {
      name: 'second',
      role: 'operator',
    })
    this.#secondToken = String(created?.body.token)
    this.#ledger.confidential.add(this.#secondToken)
    const [first, ...others] = this.#ledger.cooperatives
    for (const cooperative of others)
      if (dice.chance(0.8)) await this.#setCreditor(cooperative, dice)
    // The first one has none, or gets one during the day.
    if (first && this.#ledger.cooperatives.every(({ creditorFrom }) => creditorFrom === undefined))
      await this.#setCreditor(first, dice)
  }

  async #setCreditor(cooperative: Cooperative, dice: Dice): Promise<void> {
    const { key } = cooperative
    const at = this.#ledger.cooperatives.indexOf(cooperative)
    const answer = await this.#world.operate('cooperative.set_creditor', {
      cooperative: key,
      name: `Genossenschaft ${key}`,
      creditor_id: creditorIds[at % 2],
      // Two cooperatives may have one account.
      iban: accounts[dice.chance(0.2) ? 0 : at],
      notice_days: dice.between(1, 14),
      lead_days: dice.between(1, 3),
    })
    if (answer?.status === 200) {
      this.#world.tell(`${key} has a creditor`)
      cooperative.creditorFrom ??= this.#world.ticks++
    } else if (answer && answer.status !== 503) this.#unexpected('set_creditor', answer)
  }

  /** A day without orders would have no payments. */
  async prepare(partners: Partners, dice: Dice): Promise<void> {
    for (let left = dice.between(5, 15); left > 0; left -= 1) {
      const investor = dice.pick(this.#ledger.investors)
      if (!investor) continue
      const order = partners.newOrder(investor, dice)
      await partners.place(order, dice)
      if (dice.chance(0.8)) await this.#operators.decideOn(order, 'approve')
    }
  }

  async act(dice: Dice): Promise<void> {
    const what = dice.weigh({
      collect: 8,
      create: 4,
      export: 12,
      confirm: 6,
      cancel: 2,
      bank: 14,
      import: 16,
      assign: 2,
      retry: 4,
      record: 2,
      settle: 6,
      reject: 2,
      creditor: 1,
      report: 1,
    })
    switch (what) {
      case 'collect':
        return this.#collect(dice)
      case 'create':
        return this.#createTwice(dice)
      case 'export':
        return this.#export(await this.#some(dice, 'created', 'exported'), dice)
      case 'confirm':
        return this.#confirm(await this.#some(dice, 'created'))
      case 'cancel':
        return this.#cancel(await this.#some(dice, 'created', 'exported', 'cancelled'), dice)
      case 'bank':
        for (let acts = dice.between(1, 5); acts > 0; acts -= 1) this.#bank.act(dice)
        return
      case 'import':
        return this.#importSome(dice)
      case 'assign':
        return this.#assign(dice)
      case 'retry':
        return this.#retry(dice)
      case 'record':
        return this.#record(dice)
      case 'settle':
        return this.#settle(dice)
      case 'reject':
        return this.#reject(dice)
      case 'creditor': {
        const cooperative = dice.pick(this.#ledger.cooperatives)
        return cooperative && this.#setCreditor(cooperative, dice)
      }
      default:
        return void (await judgeStates(this.#world, this.#bank))
    }
  }

  /** All that an operator does until the bank has the file. */
  async #collect(dice: Dice): Promise<void> {
    await this.#createTwice(dice)
    const id = await this.#some(dice, 'created')
    if (this.#world.isFourEyes) await this.#confirm(id)
    await this.#export(id, dice)
  }

  /** A double click makes two calls. */
  async #createTwice(dice: Dice): Promise<void> {
    const clicks = dice.chance(0.2) ? 2 : 1
    await Promise.all(Array.from({ length: clicks }, () => this.#create(dice)))
  }

  async #create(dice: Dice): Promise<void> {
    const keys = this.#ledger.cooperatives.flatMap(({ key, creditorFrom }) =>
      creditorFrom === undefined ? [] : key,
    )
    const input = {
      ...(dice.chance(0.3) && { cooperative: dice.pick(keys) }),
      ...(dice.chance(0.3) && { limit: dice.between(1, 3) }),
      ...(dice.chance(0.2) && { due: '2026-12-25' }),
    }
    if (dice.chance(0.15)) await this.#call('collection.create', { ...input, dry_run: true }, [422])
    const answer = await this.#call('collection.create', input, [422])
    if (answer?.status !== 422) return
    const [, possible] = /Possible is (\d{4}-\d\d-\d\d)/.exec(answer.text) ?? []
    if (possible === undefined) return this.#unexpected('a due date', answer)
    // The clock may have passed midnight meanwhile.
    await this.#call('collection.create', { ...input, due: possible }, [422])
  }

  async #some(dice: Dice, ...states: readonly string[]): Promise<string | undefined> {
    const answer = await this.#world.operate('collection.list', {})
    if (answer?.status !== 200) return undefined
    const found = answer.body.filter(({ state }: Row) => states.includes(state))
    return dice.pick<Row>(found)?.collection_id
  }

  #known(id: string): Collection {
    const known = this.#collections.get(id)
    if (known) return known
    const made = {
      text: undefined,
      isUploaded: false,
      isGivenUp: false,
      isCancelled: false,
      isUncertain: false,
    }
    this.#collections.set(id, made)
    return made
  }

  async #confirm(id: string | undefined): Promise<void> {
    if (id === undefined) return
    const options = { token: this.#secondToken }
    const answer = await this.#world.operate('collection.confirm', { collection_id: id }, options)
    this.#note('collection.confirm', answer, [409])
  }

  async #export(id: string | undefined, dice: Dice): Promise<void> {
    if (id === undefined) return
    const collection = this.#known(id)
    const answer = await this.#call('collection.export', { collection_id: id }, [409])
    if (answer?.status !== 200) return
    const text = answer.body.map((part: Row) => part.text).join('')
    if (collection.text !== undefined && collection.text !== text)
      this.#world.violate(`the second export of ${id} has other bytes`)
    collection.text = text
    this.#requireOneEnd(id, collection)
    if (!dice.chance(0.7) || collection.isGivenUp) return
    collection.isUploaded = true
    this.#bank.take(text)
  }

  /** Of an export and a cancellation that does not know of it, one must be refused. */
  #requireOneEnd(id: string, { text, isCancelled }: Collection): void {
    if (isCancelled && text !== undefined)
      this.#world.violate(`${id} was exported, and cancelled as if it were not`)
  }

  async #cancel(id: string | undefined, dice: Dice): Promise<void> {
    if (id === undefined) return
    const collection = this.#known(id)
    const isGivenUp = collection.text !== undefined && !collection.isUploaded && dice.chance(0.7)
    if (isGivenUp) collection.isGivenUp = true
    collection.isUncertain = true
    const input = { collection_id: id, ...(isGivenUp && { not_taken: true }) }
    const answer = await this.#call('collection.cancel', input, [409])
    if (answer === undefined || answer.status === 503) return
    collection.isUncertain = false
    if (answer.status !== 200 || collection.isGivenUp) return
    collection.isCancelled = true
    this.#requireOneEnd(id, collection)
  }

  async #importSome(dice: Dice): Promise<void> {
    const { outbox } = this.#bank
    const fresh = outbox.filter(({ isImported }) => !isImported)
    const file = dice.pick(fresh.length > 0 && dice.chance(0.8) ? fresh : outbox)
    if (!file) return
    if (dice.chance(0.1)) await this.#call('statement.import', { ...sent(file), dry_run: true }, [])
    // Two operators do not know of each other.
    const calls = Array.from({ length: dice.chance(0.15) ? 2 : 1 }, () => this.import(file))
    await Promise.all(calls)
    await judgeStates(this.#world, this.#bank)
  }

  async import(file: BankFile): Promise<void> {
    const answer = await this.#call('statement.import', sent(file), [])
    if (answer?.status === 200) file.isImported = true
  }

  /** A person reads what the payer has written. */
  async #assign(dice: Dice): Promise<void> {
    const statements = await this.#world.operate('statement.list', {})
    if (statements?.status !== 200) return
    const waiting = statements.body.filter(({ unmatched }: Row) => unmatched > 0)
    const statement = dice.pick<Row>(waiting)
    if (!statement) return
    const { statement_id } = statement
    const shown = await this.#world.operate('statement.show', { statement_id })
    if (shown?.status !== 200) return
    for (const { entry_id, outcome, purpose, kind } of shown.body.entries) {
      const [id] = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(purpose ?? '') ?? []
      if (outcome !== 'unmatched' || id === undefined || kind !== 'other') continue
      await this.#call('statement.assign', { entry_id, share_purchase_id: id }, [409])
    }
  }

  async #payment(dice: Dice, state: string): Promise<Row> {
    const answer = await this.#world.operate('payment.list', { state })
    return answer?.status === 200 ? dice.pick<Row>(answer.body) : undefined
  }

  /**
   * On the same day only what the bank has refused: money that was collected comes back days later.
   */
  async #retry(dice: Dice): Promise<void> {
    const payment = await this.#payment(dice, 'returned')
    if (!payment) return
    const { share_purchase_id, return_code } = payment
    const isRefused = this.#bank.debitsOf(share_purchase_id).at(-1)?.fate === 'refused'
    if (!isRefused && !finalCodes.has(return_code)) return
    const answer = await this.#call('payment.retry', { share_purchase_id }, [409])
    if (answer?.status === 200 && finalCodes.has(return_code))
      this.#world.violate(`${share_purchase_id} came back with ${return_code} and is due again`)
  }

  /** Money comes by transfer when nothing can be collected any more. */
  async #record(dice: Dice): Promise<void> {
    const payment = await this.#payment(dice, 'returned')
    if (!payment || !finalCodes.has(payment.return_code)) return
    const id = payment.share_purchase_id
    const debit = this.#bank.debitsOf(id).at(-1)
    if (!debit || this.#bank.transferred.has(id)) return
    this.#bank.transfer(id, debit, debit.file.account)
    // Some operators record it before they import the statement.
    if (dice.chance(0.5)) return
    const input = { share_purchase_id: id, paid_on: '2026-11-02' }
    await this.#call('payment.record', input, [409])
  }

  /** Settles what is paid, as `--all-paid` does. */
  async #settle(dice: Dice): Promise<void> {
    if (dice.chance(0.15)) return this.#operators.settleUnpaid(dice)
    const answer = await this.#world.operate('payment.list', { state: 'paid' })
    if (answer?.status !== 200) return
    for (const { share_purchase_id: id } of answer.body) {
      const order = this.#ledger.byId.get(id)
      if (order && !order.acknowledged.has('settled'))
        await this.#operators.decideOn(order, 'settle')
    }
  }

  /** Rejects what came back, as `--all-returned` does, or pays money back. */
  async #reject(dice: Dice): Promise<void> {
    const refunded = dice.chance(0.3)
    const payment = await this.#payment(dice, refunded ? 'paid' : 'returned')
    const order = this.#ledger.byId.get(payment?.share_purchase_id)
    if (!order || order.acknowledged.has('settled')) return
    if (refunded) order.isRefunded = true
    await this.#operators.decideOn(order, 'reject', refunded ? { refunded } : {})
  }

  /** Everything that was begun is finished, when nothing fails any more. */
  async finish(dice: Dice): Promise<void> {
    for (const [id, { isUncertain, isGivenUp }] of this.#collections) {
      if (!isUncertain) continue
      const input = { collection_id: id, ...(isGivenUp && { not_taken: true }) }
      await this.#call('collection.cancel', input, [409])
    }
    await this.#collectAll()
    this.#bank.finish(dice)
    await this.#importAll(dice)
  }

  async #collectAll(): Promise<void> {
    await this.#call('collection.create', {}, [])
    const collections = (await this.#world.operate('collection.list', {}))?.body ?? []
    for (const { collection_id: id, state } of collections) {
      const collection = this.#known(id)
      if (state === 'cancelled' || collection.isGivenUp) continue
      if (state === 'created') await this.#confirm(id)
      const answer = await this.#call('collection.export', { collection_id: id }, [])
      const text = answer?.body.map((part: Row) => part.text).join('')
      if (collection.text !== undefined && collection.text !== text)
        this.#world.violate(`the last export of ${id} has other bytes`)
      collection.text = text
      collection.isUploaded = true
      this.#bank.take(text)
    }
  }

  /** In any order, because operators do not look at the dates of files. */
  async #importAll(dice: Dice): Promise<void> {
    const fresh = () => this.#bank.outbox.filter(({ isImported }) => !isImported)
    for (let file = dice.pick(fresh()); file; file = dice.pick(fresh())) {
      await this.import(file)
      if (!file.isImported) await this.#world.loop.pause(1000)
    }
    await judgeStates(this.#world, this.#bank)
  }

  /**
   * Weeks later payers want their money back. What came back is collected once more. The service may
   * crash while it reads about that, and old statements come again.
   */
  async finishLate(partners: Partners, dice: Dice): Promise<void> {
    const world = this.#world
    this.#bank.returnSome(dice)
    this.#bank.finish(dice)
    await this.#importAll(dice)
    await this.#requireBlocked(partners, dice)
    const returned = await world.operate('payment.list', { state: 'returned' })
    for (const { share_purchase_id } of returned?.body ?? [])
      await this.#call('payment.retry', { share_purchase_id }, [409])
    await this.#collectAll()
    this.#bank.finish(dice)
    for (const file of this.#bank.outbox) if (dice.chance(0.3)) file.isImported = false
    if (dice.chance(0.5)) {
      const importing = this.#importAll(dice)
      await world.loop.pause(dice.fraction() * 300)
      world.crash(dice.chance(0.5) ? 'is killed' : 'loses its power')
      await world.start()
      await importing
    }
    await this.#importAll(dice)
  }

  /** Who owes for a settled order cannot order more shares of the cooperative (§ 15b GenG). */
  async #requireBlocked(partners: Partners, dice: Dice): Promise<void> {
    const payments = (await this.#world.operate('payment.list', {}))?.body ?? []
    for (const { share_purchase_id: id, returned_at, paid_at } of payments) {
      const order = this.#ledger.byId.get(id)
      if (!order?.acknowledged.has('settled') || returned_at === null || paid_at !== null) continue
      const further = partners.newOrder(order.investor, dice, order.cooperative)
      await partners.place(further, dice)
      if (further.acknowledged.size > 0)
        this.#world.violate(`${further.key} is placed, although ${order.key} came back`)
      return
    }
  }

  async #call(operation: string, input: object, expected: readonly number[]) {
    const answer = await this.#world.operate(operation, input)
    this.#note(operation, answer, expected)
    return answer
  }

  #note(operation: string, answer: Answer | undefined, expected: readonly number[]): void {
    if (answer === undefined || answer.status === 503) return
    this.#world.tell(`${operation}: ${answer.status}`)
    if (answer.status === 200) this.#world.counts.acknowledged += 1
    else if (!expected.includes(answer.status)) this.#unexpected(operation, answer)
  }

  #unexpected(what: string, { status, text }: Answer): void {
    this.#world.violate(`${what} is answered with ${status}: ${text.slice(0, 300)}`)
  }
}

interface Colleagues {
  readonly operators: Operators
  readonly bank: Bank
}

function sent({ name, text }: BankFile) {
  return { name, text }
}
