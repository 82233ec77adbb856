import {
  type Cents,
  type DebitFile,
  type FiledDebit,
  type Movement,
  type Refused,
  readDebitFile,
  type Style,
  writeRefusal,
  writeStatement,
} from '../fixtures/bank/files.ts'
import { referenceOf } from './customers.ts'
import type { Dice } from './dice.ts'
import type { Ledger } from './ledger.ts'
import type { World } from './world.ts'

const dayMs = 86_400_000

/** Codes after which a direct debit must not be collected again. */
export const finalCodes: ReadonlySet<string> = new Set(['AC04', 'MD01', 'MD06'])
const returnCodes = ['AM04', 'MS03', 'AM04', 'MD06', 'AC04', 'MD01']

/** A direct debit in the books of the bank. */
export interface HeldDebit extends FiledDebit {
  readonly orderId: string
  readonly file: TakenFile
  fate: 'taken' | 'refused' | 'booked' | 'returned'
  wasBooked: boolean
  code: string | undefined
  charges: Cents
}

interface TakenFile extends DebitFile {
  readonly text: string
  state: 'taken' | 'refused' | 'booked'
}

export interface BankFile {
  readonly name: string
  readonly text: string
  isImported: boolean
}

/**
 * The bank of the creditors: it takes files of direct debits, refuses, books and returns them, and
 * sends statements. Its books are what the service must agree with in the end.
 */
export class Bank {
  readonly debits = new Map<string, HeldDebit>()
  readonly movements: Movement[] = []
  /** Files for the creditors, in the order in which the bank made them. */
  readonly outbox: BankFile[] = []
  /** Orders whose investors have transferred the money. */
  readonly transferred = new Set<string>()
  readonly #world: World
  readonly #ledger: Ledger
  readonly #files = new Map<string, TakenFile>()
  #unsent: Movement[] = []
  #numbers = 0

  constructor(world: World, ledger: Ledger) {
    this.#world = world
    this.#ledger = ledger
  }

  /** Takes a file, and knows one that it has already. */
  take(text: string): void {
    const world = this.#world
    let file: TakenFile
    try {
      file = { ...readDebitFile(text), text, state: 'taken' }
    } catch (error) {
      world.violate(`the bank refuses a file: ${(error as Error).message}`)
      return
    }
    const known = this.#files.get(file.messageId)
    if (known) {
      if (known.text !== text)
        world.violate(`the bank got two different files of the collection ${file.messageId}`)
      return
    }
    this.#files.set(file.messageId, file)
    world.counts.debits += file.debits.length
    world.tell(`the bank takes ${file.debits.length} direct debits for ${file.dueDate}`)
    for (const debit of file.debits) this.#hold(file, debit)
  }

  #hold(file: TakenFile, debit: FiledDebit): void {
    const world = this.#world
    const { endToEndId, mandate, cents, iban, remittance } = debit
    const [orderId = ''] = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(remittance) ?? []
    const order = this.#ledger.byId.get(orderId)
    if (this.debits.has(endToEndId)) world.violate(`the reference ${endToEndId} is used twice`)
    const live = this.debitsOf(orderId).find(({ fate }) => fate === 'taken' || fate === 'booked')
    if (live) world.violate(`${orderId} is debited twice: ${live.endToEndId} and ${endToEndId}`)
    if (this.transferred.has(orderId))
      world.violate(`${orderId} was paid by transfer and is debited by ${endToEndId}`)
    if (order) {
      const due = Math.round(Number(JSON.parse(order.frozen ?? '{}').total) * 100)
      if (due !== cents) world.violate(`${order.key} costs ${due} cents and is debited ${cents}`)
      if (order.investor.iban !== iban) world.violate(`${order.key} is debited from ${iban}`)
      if (referenceOf(order.key) !== mandate)
        world.violate(`${order.key} is debited by the mandate ${mandate}`)
    }
    const [fate, wasBooked, code] = ['taken', false, undefined] as const
    this.debits.set(endToEndId, { ...debit, orderId, file, fate, wasBooked, code, charges: 0 })
  }

  /** The direct debits that an entry with only the mandate and the amount can mean. */
  debitsAlike({ mandate, cents }: Pick<FiledDebit, 'mandate' | 'cents'>): HeldDebit[] {
    return [...this.debits.values()].filter((one) => one.mandate === mandate && one.cents === cents)
  }

  debitsOf(orderId: string): HeldDebit[] {
    return [...this.debits.values()].filter((debit) => debit.orderId === orderId)
  }

  /** Whether the money of the order has come at some time. */
  hasSeenMoney(orderId: string): boolean {
    return this.transferred.has(orderId) || this.debitsOf(orderId).some((one) => one.wasBooked)
  }

  #filesIn(state: TakenFile['state']): TakenFile[] {
    return [...this.#files.values()].filter((file) => file.state === state)
  }

  act(dice: Dice): void {
    const taken = this.#filesIn('taken')
    const booked = [...this.debits.values()].filter(({ fate }) => fate === 'booked')
    const what = dice.weigh({
      refuse: taken.length > 0 ? 3 : 0,
      early: taken.length > 0 ? 1 : 0,
      book: taken.length > 0 ? 8 : 0,
      return: booked.length > 0 ? 6 : 0,
      other: 1,
      send: this.#unsent.length > 0 ? 8 : 0,
    })
    const file = dice.pick(taken)
    if (what === 'return') this.return(dice.pick(booked), dice)
    else if (what === 'other') this.#other(dice)
    else if (what === 'send') this.send(dice)
    else if (!file) return
    else if (what === 'refuse') this.#refuse(file, dice)
    // The bank of the payer refuses before the due date, so the batch is booked whole.
    else if (what === 'early') this.return(dice.pick(this.#held(file, 'taken')), dice)
    else this.#book(file, dice)
  }

  #held({ debits }: DebitFile, ...fates: HeldDebit['fate'][]): HeldDebit[] {
    const held = debits.flatMap(({ endToEndId }) => this.debits.get(endToEndId) ?? [])
    return held.filter(({ fate }) => fates.includes(fate))
  }

  #refuse(file: TakenFile, dice: Dice): void {
    const held = this.#held(file, 'taken')
    if (held.length < file.debits.length) return
    const what = dice.weigh({ file: 1, batch: 1, some: 4 })
    const some = held.filter(() => dice.chance(0.4))
    const debits = what === 'some' ? some : held
    if (debits.length === 0) return
    const code = dice.pick(returnCodes) ?? 'AM04'
    for (const debit of debits) Object.assign(debit, { fate: 'refused', code })
    if (debits.length === held.length) file.state = 'refused'
    const refused: Refused = what === 'some' ? some : what
    const version = dice.chance(0.5) ? '03' : '10'
    const name = this.#nextName('pain.002')
    this.#put(name, writeRefusal(name, file, { refused, code, version }))
    this.#world.tell(`the bank refuses ${debits.length} direct debits of ${file.messageId}`)
  }

  /** One sum, or each direct debit on its own. What was refused is missing. */
  #book(file: TakenFile, dice: Dice): void {
    const debits = this.#held(file, 'taken', 'returned')
    file.state = 'booked'
    for (const debit of debits) {
      debit.wasBooked = true
      if (debit.fate === 'taken') debit.fate = 'booked'
    }
    const movement = { isCredit: true, day: file.dueDate, file, text: 'Direct debits' } as const
    const isBatch = dice.chance(0.7)
    for (const part of isBatch ? [debits] : debits.map((debit) => [debit])) {
      const cents = part.reduce((sum, debit) => sum + debit.cents, 0)
      const kind = isBatch ? 'batch' : 'single'
      this.#move({ ...movement, account: file.account, kind, debits: part, cents })
    }
    this.#world.tell(`the bank books ${file.messageId}${isBatch ? '' : ' singly'}`)
  }

  return(debit: HeldDebit | undefined, dice: Dice): void {
    if (!debit) return
    const { cents, file, orderId, endToEndId } = debit
    // Each direct debit of an order comes back on another day.
    const day = addDays(file.dueDate, this.debitsOf(orderId).length)
    const code = dice.pick(returnCodes) ?? 'AM04'
    const shape = dice.weigh({ none: 1, within: 2, silent: 1, own: 1 })
    const charges = shape === 'none' ? 0 : dice.between(100, 900)
    const isWithin = shape === 'within' || shape === 'silent'
    const naming = shape === 'silent' || dice.chance(0.7) ? 'end to end' : 'mandate'
    Object.assign(debit, { fate: 'returned', code, charges })
    const of = { account: file.account, isCredit: false, day, debits: [debit], text: 'Returned' }
    const within = isWithin ? charges : 0
    const isSilent = shape === 'silent'
    const amounts = { cents: cents + within, charges: within, isSilent }
    this.#move({ ...of, ...amounts, kind: 'return', code, naming })
    if (shape === 'own') this.#move({ ...of, kind: 'charges', cents: charges, charges })
    this.#world.tell(`the bank returns ${endToEndId} with ${code}, charges ${shape}`)
  }

  /** The investor transfers the money. */
  transfer(orderId: string, debit: FiledDebit, account: string): void {
    this.transferred.add(orderId)
    const text = `Auftrag ${orderId}`
    const movement = { account, kind: 'transfer', isCredit: true, day: '2026-11-20' } as const
    this.#move({ ...movement, cents: debit.cents, debits: [{ ...debit, remittance: text }], text })
  }

  /** Entries about something else, which are not the business of the service. */
  #other(dice: Dice): void {
    const account = dice.pick([...this.#files.values()])?.account
    if (account === undefined) return
    const cents = dice.between(1, 100_000)
    const isCredit = dice.chance(0.5)
    const kind = isCredit ? 'other' : dice.pick(['other', 'charges'] as const)
    if (kind === undefined) return
    const of = { account, isCredit, cents, day: '2026-11-19', debits: [], text: 'Rent' }
    this.#move({ ...of, kind, charges: kind === 'charges' ? cents : 0 })
  }

  #move(
    movement: Partial<Movement> &
      Pick<Movement, 'account' | 'isCredit' | 'cents' | 'day' | 'kind' | 'debits' | 'text'>,
  ): void {
    this.#numbers += 1
    this.#world.counts.entries += 1
    const reference = `REF${this.#numbers}`
    const others = {
      file: undefined,
      code: undefined,
      naming: 'end to end',
      isSilent: false,
    } as const
    const made: Movement = { reference, charges: 0, ...others, ...movement }
    this.movements.push(made)
    this.#unsent.push(made)
  }

  /** Statements of one account, in pages and files that overlap with earlier ones. */
  send(dice: Dice): void {
    const account = dice.pick(this.#unsent)?.account
    if (account === undefined) return
    const fresh = this.#unsent.filter((one) => one.account === account)
    this.#unsent = this.#unsent.filter((one) => one.account !== account)
    const old = this.movements.filter((one) => one.account === account && !fresh.includes(one))
    const again = old.filter(() => dice.chance(0.3))
    for (const movements of cut(shuffle([...again, ...fresh], dice), dice)) {
      const pages = cut(movements, dice)
      const name = this.#nextName('camt')
      this.#put(name, writeStatement(name, pages, styleOf(dice)))
      // The same entries in another message.
      if (!dice.chance(0.3)) continue
      const other = this.#nextName('camt')
      this.#put(other, writeStatement(other, cut(movements, dice), styleOf(dice)))
    }
  }

  #nextName(kind: string): string {
    return `${kind}-${this.outbox.length + 1}`
  }

  #put(name: string, text: string): void {
    this.outbox.push({ name: `${name}.xml`, text, isImported: false })
    this.#world.loop.note(text)
  }

  /** Refuses or books all that was taken, and sends everything. */
  finish(dice: Dice): void {
    for (const file of this.#filesIn('taken')) {
      // The refusal and the booking of the rest can be imported in any order.
      if (dice.chance(0.4)) this.#refuse(file, dice)
      if (file.state === 'taken') this.#book(file, dice)
    }
    while (this.#unsent.length > 0) this.send(dice)
  }

  /** Some payers want their money back. */
  returnSome(dice: Dice): void {
    const booked = [...this.debits.values()].filter(({ fate }) => fate === 'booked')
    for (const debit of booked) if (dice.chance(0.4)) this.return(debit, dice)
  }
}

function styleOf(dice: Dice): Style {
  return {
    format: dice.pick(['052', '053', '054'] as const) ?? '053',
    version: dice.chance(0.5) ? '02' : '08',
    hasDetails: dice.chance(0.4),
    isNameless: dice.chance(0.3),
  }
}

function cut(movements: readonly Movement[], dice: Dice): Movement[][] {
  const parts: Movement[][] = [[]]
  for (const movement of movements) {
    const part = parts.at(-1) ?? []
    if (part.length > 0 && dice.chance(0.2)) parts.push([movement])
    else part.push(movement)
  }
  return parts
}

function shuffle<Item>(items: readonly Item[], dice: Dice): Item[] {
  return items
    .map((item) => ({ item, at: dice.fraction() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item)
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)
}
