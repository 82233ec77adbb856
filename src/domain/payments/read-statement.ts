import { addMoney, type Money, parseSum, subtractMoney, toMinorUnits, zeroMoney } from '../money.ts'
import type { Day } from './bank-days.ts'
import { type BankElement, BankMessageReader, refusedMessage } from './bank-message.ts'
import type { EntryKind } from './statement.ts'

/** What a file says about one account, as it was read. */
export interface ReadStatement {
  /** Such as `camt.053.001.08`. */
  readonly format: string
  /** null in a pain.002. */
  readonly accountIban: string | null
  readonly from: Day | null
  readonly to: Day | null
  readonly entries: readonly ReadEntry[]
}

/** An entry, or a transaction of an entry with details. */
export interface ReadEntry {
  readonly kind: EntryKind
  readonly isCredit: boolean
  /** Without charges. */
  readonly amount: Money
  readonly currency: string
  readonly charges: Money
  readonly bookedOn: Day | null
  /** What the bank calls the entry; null if it says that it has no name for it. */
  readonly bankReference: string | null
  readonly messageId: string | null
  readonly batchId: string | null
  readonly endToEndId: string | null
  readonly mandateReference: string | null
  readonly returnCode: string | null
  readonly counterparty: string | null
  readonly purpose: string | null
}

const roots: ReadonlyMap<string, string> = new Map([
  ['BkToCstmrAcctRpt', 'camt.052'],
  ['BkToCstmrStmt', 'camt.053'],
  ['BkToCstmrDbtCdtNtfctn', 'camt.054'],
  ['CstmrPmtStsRpt', 'pain.002'],
])

const statementElements: ReadonlySet<string> = new Set(['Rpt', 'Stmt', 'Ntfctn'])
const taken: ReadonlySet<string> = new Set([
  ...statementElements,
  'Ntry',
  'TxDtls',
  'TxInfAndSts',
  'OrgnlPmtInfAndSts',
  'OrgnlGrpInfAndSts',
])

/** Reads camt.052, 053 and 054 and pain.002 in pieces, tolerantly where banks differ from their schemas. */
export class StatementReader {
  readonly #reader = new BankMessageReader(taken, {
    begin: (depth, element) => this.#begin(depth, element),
    end: (element) => this.#end(element),
  })
  readonly #statements: ReadStatement[] = []
  #kind: string | undefined
  #namespace = ''
  #version: string | undefined
  #entries: ReadEntry[] = []
  #details: BankElement[] = []
  #refusedBatch: ReadEntry | undefined

  write(piece: string): void {
    this.#reader.write(piece)
  }

  /** @returns one statement for each account and period of the file; at least one */
  close(): readonly ReadStatement[] {
    this.#reader.close()
    if (this.#kind === 'pain.002') {
      // The refusal of a direct debit has its own reason, so it comes before that of the whole file.
      const isOfOne = ({ batchId, messageId }: ReadEntry) => batchId === null && messageId === null
      const entries = this.#entries.toSorted((a, b) => Number(isOfOne(b)) - Number(isOfOne(a)))
      this.#statements.push({
        format: this.#format,
        accountIban: null,
        from: null,
        to: null,
        entries,
      })
    }
    if (this.#statements.length === 0) throw refusedMessage('The file contains no statement')
    return this.#statements
  }

  #begin(depth: number, { name, attributes }: BankElement): void {
    if (depth === 1) {
      this.#namespace = attributes['xmlns'] ?? Object.values(attributes).join(' ')
      this.#kind = roots.get(name)
      if (this.#kind === undefined && name !== 'Document') throw this.#unknown(name)
      return
    }
    if (depth !== 2 || this.#kind !== undefined) return
    this.#kind = roots.get(name)
    if (this.#kind === undefined) throw this.#unknown(name)
  }

  #unknown(name: string) {
    const hint =
      name === 'CstmrDrctDbtInitn' ? ' It is a file of direct debits, which goes to the bank.' : ''
    return refusedMessage(
      `The file is not a camt.052, camt.053, camt.054 or pain.002: it begins with ${name.slice(0, 40)}.${hint}`,
    )
  }

  get #format(): string {
    const [, version] = /(?:camt|pain)\.\d{3}\.001\.(\d{2})/.exec(this.#namespace) ?? []
    return `${this.#kind}.001.${version ?? this.#version ?? (this.#kind === 'pain.002' ? '10' : '08')}`
  }

  #end(element: BankElement): void {
    const { name } = element
    if (name === 'TxDtls') this.#details.push(element)
    else if (name === 'Ntry') this.#endEntry(element)
    else if (statementElements.has(name)) this.#endStatement(element)
    else if (name === 'TxInfAndSts') this.#endTransactionStatus(element)
    else this.#endBatchStatus(element)
  }

  #endStatement(element: BankElement): void {
    const account = element.textAt('Acct/Id/IBAN', 'Acct/Id/Othr/Id')
    if (account === undefined) throw refusedMessage('The statement names no account', element.line)
    const days = this.#entries.flatMap(({ bookedOn }) => bookedOn ?? []).sort()
    const created = dayAt(element, 'CreDtTm')
    this.#statements.push({
      format: this.#format,
      accountIban: account.replaceAll(/\s/g, '').toUpperCase(),
      from: dayAt(element, 'FrToDt/FrDtTm') ?? days[0] ?? created,
      to: dayAt(element, 'FrToDt/ToDtTm') ?? days.at(-1) ?? created,
      entries: this.#entries,
    })
    this.#entries = []
  }

  #endEntry(entry: BankElement): void {
    const details = this.#details
    this.#details = []
    const status = entry.textAt('Sts/Cd', 'Sts/Prtry', 'Sts')
    if (entry.textAt('Sts/Cd') === undefined && entry.find('Sts')) this.#version = '02'
    // What is only announced comes again when it is booked.
    if (status !== undefined && status !== 'BOOK') return
    const batch = batchOf(entry)
    // A batch is booked as one sum, with or without its details.
    const isOneSum = batch && !isReturnOf(entry) && !details.some(hasReturnReason)
    const parts = details.map((detail) => transactionAmountOf(detail))
    const sum = sumOf(parts.flatMap((part) => part ?? []))
    const isComplete = parts.every((part) => part?.currency === sum?.currency)
    const whole = amountOf(entry)
    if (whole === undefined) throw refusedMessage('The entry names no amount', entry.line)
    const rest = sum && subtractWithin(whole, sum)
    if (details.length <= 1 || isOneSum || !isComplete || rest === undefined) {
      const first = isOneSum || details.length === 1 ? details[0] : undefined
      const part = (isOneSum ? undefined : first) ?? entry
      const own = part === entry ? batch : undefined
      this.#entries.push(readEntry(part, { entry, batch: own, first, whole, isOnly: true }))
      return
    }
    for (const [index, detail] of details.entries()) {
      const own = parts[index] ?? whole
      this.#entries.push(
        readEntry(detail, { entry, batch: undefined, first: detail, whole: own, isOnly: false }),
      )
    }
    if (rest.amount !== zeroMoney) this.#entries.push(readRest(entry, rest))
  }

  #endTransactionStatus(element: BankElement): void {
    if (element.textAt('TxSts') !== 'RJCT') return
    const original = element.find('OrgnlTxRef')
    const amount = original && amountOf(original, 'Amt/InstdAmt', 'Amt/EqvtAmt/Amt')
    this.#entries.push({
      ...refusal(element),
      ...(amount ?? { amount: zeroMoney }),
      endToEndId: realReference(element.textAt('OrgnlEndToEndId')),
      mandateReference: realReference(
        original?.textAt('MndtRltdInf/DrctDbtMndt/MndtId', 'MndtRltdInf/MndtId'),
      ),
    })
  }

  /** A refusal of the whole batch, or of the whole file, which may name some of its transactions with their own reasons. */
  #endBatchStatus(element: BankElement): void {
    if (element.textAt('PmtInfSts', 'GrpSts') !== 'RJCT') return
    const isOfFile = element.name === 'OrgnlGrpInfAndSts'
    const id = realReference(element.textAt('OrgnlPmtInfId', 'OrgnlMsgId'))
    if (id === null) return
    if (this.#refusedBatch?.batchId === id || this.#refusedBatch?.messageId === id) return
    this.#refusedBatch = {
      ...refusal(element),
      amount: zeroMoney,
      endToEndId: null,
      mandateReference: null,
      ...(isOfFile ? { messageId: id } : { batchId: id }),
    }
    this.#entries.push(this.#refusedBatch)
  }
}

function refusal(
  element: BankElement,
): Omit<ReadEntry, 'amount' | 'endToEndId' | 'mandateReference'> {
  return {
    kind: 'refusal',
    isCredit: false,
    currency: 'EUR',
    charges: zeroMoney,
    bookedOn: null,
    bankReference: null,
    messageId: null,
    batchId: null,
    returnCode: element.textAt('StsRsnInf/Rsn/Cd', 'StsRsnInf/Rsn/Prtry') ?? 'MS03',
    counterparty: null,
    purpose: element.textAt('StsRsnInf/AddtlInf') ?? null,
  }
}

interface EntryParts {
  readonly entry: BankElement
  readonly batch: BankElement | undefined
  readonly first: BankElement | undefined
  /** The amount with charges, if the entry has some. */
  readonly whole: Amount
  /** Whether the entry has no other transaction, so that its charges are those of this one. */
  readonly isOnly: boolean
}

interface Amount {
  readonly amount: Money
  readonly currency: string
}

/** @param part the transaction, or the entry itself if it is read as a whole */
function readEntry(
  part: BankElement,
  { entry, batch, first, whole, isOnly }: EntryParts,
): ReadEntry {
  const details = first ?? entry
  const kind = kindOf(entry, details, batch)
  const { amount, charges } =
    kind === 'return'
      ? splitCharges(whole, isOnly ? [part, entry] : [part])
      : { amount: whole.amount, charges: zeroMoney }
  const refs = (name: string) => realReference(details.textAt(`Refs/${name}`))
  return {
    ...commonOf(entry),
    kind,
    isCredit: (part.textAt('CdtDbtInd') ?? entry.textAt('CdtDbtInd')) === 'CRDT',
    amount,
    currency: whole.currency,
    charges,
    bankReference: refs('AcctSvcrRef') ?? commonOf(entry).bankReference,
    messageId: realReference(batch?.textAt('MsgId')) ?? refs('MsgId'),
    batchId: realReference(batch?.textAt('PmtInfId')) ?? refs('PmtInfId'),
    endToEndId: batch ? null : refs('EndToEndId'),
    mandateReference: batch ? null : refs('MndtId'),
    returnCode: kind === 'return' ? (returnCodeOf(details, entry) ?? 'MS03') : null,
    // The first payer of a batch says nothing about it.
    counterparty:
      part.textAt(
        'RltdPties/Dbtr/Pty/Nm',
        'RltdPties/Dbtr/Nm',
        'RltdPties/Cdtr/Pty/Nm',
        'RltdPties/Cdtr/Nm',
      ) ?? null,
    purpose:
      [...(part.find('RmtInf')?.all('Ustrd') ?? [])].map(({ text }) => text.trim()).join(' ') ||
      commonOf(entry).purpose,
  }
}

/** What the transactions of an entry leave of its amount: charges of the bank, or money that waits for a person. */
function readRest(entry: BankElement, { amount, currency }: Amount): ReadEntry {
  const isCredit = entry.textAt('CdtDbtInd') === 'CRDT'
  return {
    ...commonOf(entry),
    kind: isCredit ? 'booking' : 'charges',
    isCredit,
    amount,
    currency,
    charges: zeroMoney,
    messageId: null,
    batchId: null,
    endToEndId: null,
    mandateReference: null,
    returnCode: null,
    counterparty: null,
  }
}

function commonOf(entry: BankElement): Pick<ReadEntry, 'bookedOn' | 'bankReference' | 'purpose'> {
  return {
    bookedOn: dayAt(entry, 'BookgDt/Dt', 'BookgDt/DtTm', 'ValDt/Dt', 'ValDt/DtTm'),
    bankReference:
      realReference(entry.textAt('AcctSvcrRef')) ?? realReference(entry.textAt('NtryRef')),
    purpose: entry.textAt('AddtlNtryInf') ?? null,
  }
}

/** The batch, unless the entry has the sum of several. */
function batchOf(entry: BankElement): BankElement | undefined {
  const [batch, another] = entry.all('NtryDtls').flatMap((details) => details.all('Btch'))
  return another ? undefined : batch
}

/** The amount of the direct debit, and the charges on top of it, of which banks say one, the other, or both. */
function splitCharges(whole: Amount, [part, ...others]: readonly [BankElement, ...BankElement[]]) {
  const original = amountOf(part, 'AmtDtls/InstdAmt/Amt')
  const smaller = [amountOf(part, 'AmtDtls/TxAmt/Amt'), transactionAmountOf(part)].flatMap(
    (found) => (found && subtractWithin(whole, found)) ?? [],
  )
  const charges =
    (original && subtractWithin(whole, original)) ??
    smaller.find(({ amount }) => amount !== zeroMoney) ??
    [part, ...others].map(chargesOf).find((found) => found !== undefined)
  const amount = charges && subtractWithin(whole, charges)
  return charges && amount
    ? { amount: amount.amount, charges: charges.amount }
    : { amount: whole.amount, charges: zeroMoney }
}

/** undefined if it would be negative, or if the currencies differ. */
function subtractWithin(whole: Amount, { amount, currency }: Amount): Amount | undefined {
  const isWithin = toMinorUnits(amount) <= toMinorUnits(whole.amount)
  return isWithin && currency === whole.currency
    ? { amount: subtractMoney(whole.amount, amount), currency }
    : undefined
}

/** The charges that the amount contains: `Chrgs/Rcrd/Amt` in newer versions, `Chrgs/Amt` in older ones, as often as needed. */
function chargesOf(part: BankElement): Amount | undefined {
  const elements = part.all('Chrgs').flatMap((charges) => {
    const records = charges.all('Rcrd')
    return records.length > 0 ? records : charges
  })
  const included = elements.filter(
    (one) => one.textAt('ChrgInclInd') !== 'false' && one.textAt('CdtDbtInd') !== 'CRDT',
  )
  return sumOf(included.flatMap((one) => amountOf(one, 'Amt', 'TtlChrgsAndTaxAmt') ?? []))
}

/** undefined if there are none, or if their currencies differ. */
function sumOf([first, ...others]: readonly Amount[]): Amount | undefined {
  return others.reduce<Amount | undefined>(
    (sum, one) =>
      sum?.currency === one.currency
        ? { currency: sum.currency, amount: addMoney(sum.amount, one.amount) }
        : undefined,
    first,
  )
}

/** The amount of a transaction, which older versions have only among the details of the amount. */
function transactionAmountOf(details: BankElement): Amount | undefined {
  return amountOf(details, 'Amt', 'AmtDtls/TxAmt/Amt', 'AmtDtls/InstdAmt/Amt')
}

/** The first amount that is there. Amounts in other currencies may have other decimals, and explain nothing. */
function amountOf(part: BankElement, ...paths: readonly string[]): Amount | undefined {
  for (const path of paths.length === 0 ? ['Amt'] : paths) {
    const found = part.find(path)
    if (!found?.text.trim()) continue
    const currency = found.attributes['Ccy'] ?? 'EUR'
    const amount = readAmount(found.text)
    if (amount !== undefined) return { amount, currency }
    if (currency === 'EUR')
      throw refusedMessage(`"${found.text.trim().slice(0, 40)}" is not an amount`, found.line)
  }
  return undefined
}

/** ISO 20022 bank transaction codes, and the codes of German banks: 109 and 108 are returns. */
function isReturnOf(entry: BankElement): boolean {
  const family = entry.textAt('BkTxCd/Domn/Fmly/SubFmlyCd') ?? ''
  const german = entry.textAt('BkTxCd/Prtry/Cd') ?? ''
  return returnFamilies.has(family) || /\+(108|109)(\+|$)/.test(german)
}

/** Unpaid direct debits, other returns, and direct debits that were reversed or recalled. */
const returnFamilies: ReadonlySet<string> = new Set(['UPDD', 'RRTN', 'PRDD', 'RCDD'])
const chargesFamilies: ReadonlySet<string> = new Set(['CHRG', 'COMM', 'FEES'])

function hasReturnReason(details: BankElement): boolean {
  return details.find('RtrInf') !== undefined || isReturnOf(details)
}

function kindOf(
  entry: BankElement,
  details: BankElement,
  batch: BankElement | undefined,
): EntryKind {
  const isCredit = entry.textAt('CdtDbtInd') === 'CRDT'
  const isReversal = entry.textAt('RvslInd') === 'true' || entry.textAt('RvslInd') === '1'
  const family = entry.textAt('BkTxCd/Domn/Fmly/SubFmlyCd') ?? ''
  const german = entry.textAt('BkTxCd/Prtry/Cd') ?? ''
  if (!isCredit && (isReturnOf(entry) || hasReturnReason(details) || isReversal)) return 'return'
  if (!isCredit && (chargesFamilies.has(family) || /\+80[0-9](\+|$)/.test(german))) return 'charges'
  // The bank has taken back a return, which only a person can decide about.
  if (isReversal) return 'other'
  const isDebit = entry.textAt('BkTxCd/Domn/Fmly/Cd') === 'IDDT' || /\+(171|192)(\+|$)/.test(german)
  if (isCredit && (batch || isDebit || details.find('Refs/MndtId'))) return 'booking'
  return 'other'
}

function returnCodeOf(details: BankElement, entry: BankElement): string | undefined {
  const german = details.textAt('BkTxCd/Prtry/Cd') ?? entry.textAt('BkTxCd/Prtry/Cd') ?? ''
  const [, textKey = ''] = /\+\+?(9\d{2})$/.exec(german) ?? []
  return details.textAt('RtrInf/Rsn/Cd', 'RtrInf/Rsn/Prtry') ?? germanReasons[textKey]
}

/** The supplement of the text key, for banks that give no code (DK). */
const germanReasons: Readonly<Record<string, string>> = {
  '901': 'AC01',
  '902': 'AC04',
  '903': 'AC06',
  '904': 'AG01',
  '905': 'AG02',
  '906': 'MD06',
  '907': 'MD07',
  '909': 'MD01',
  '912': 'MS02',
  '913': 'MS03',
  '914': 'AM04',
}

/** Words that stand where a reference is missing. */
const noReferences: ReadonlySet<string> = new Set([
  'NONREF',
  'NOTPROVIDED',
  'NOT PROVIDED',
  'NICHT ANGEGEBEN',
])

function realReference(text: string | undefined): string | null {
  return text === undefined || noReferences.has(text.toUpperCase()) ? null : text
}

/** The day of the first date that is there. */
function dayAt(part: BankElement, ...paths: readonly string[]): Day | null {
  for (const path of paths) {
    const found = part.find(path)
    const text = found?.text.trim()
    if (!found || !text) continue
    const [day] = /^\d{4}-\d{2}-\d{2}/.exec(text) ?? []
    if (day !== undefined && isDay(day)) return day
    throw refusedMessage(`"${text.slice(0, 40)}" is not a date`, found.line)
  }
  return null
}

function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** Banks write `510`, `510.5`, `0510.00` and `510.000`. */
function readAmount(text: string): Money | undefined {
  return parseSum(
    text
      .trim()
      .replace(/^\+/, '')
      .replace(/^0+(?=\d)/, '')
      .replace(/(\.\d{2})0+$/, '$1'),
  )
}
