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
  /** Whether the file says which part of the amount are charges. */
  readonly hasCharges: boolean
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

const roots: Readonly<Record<string, string>> = {
  BkToCstmrAcctRpt: 'camt.052',
  BkToCstmrStmt: 'camt.053',
  BkToCstmrDbtCdtNtfctn: 'camt.054',
  CstmrPmtStsRpt: 'pain.002',
}

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
    begin: (path, element) => this.#begin(path, element),
    end: (_path, element) => this.#end(element),
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
      const entries = this.#entries
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

  #begin(path: readonly string[], { name, attributes }: BankElement): void {
    if (path.length === 1) {
      this.#namespace = attributes['xmlns'] ?? Object.values(attributes).join(' ')
      if (name in roots) this.#kind = roots[name]
      else if (name !== 'Document') throw this.#unknown(name)
      return
    }
    if (path.length !== 2 || this.#kind !== undefined) return
    this.#kind = roots[name]
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
    const created = dayOf(element.textAt('CreDtTm'))
    this.#statements.push({
      format: this.#format,
      accountIban: account.replaceAll(/\s/g, '').toUpperCase(),
      from: dayOf(element.textAt('FrToDt/FrDtTm')) ?? days[0] ?? created,
      to: dayOf(element.textAt('FrToDt/ToDtTm')) ?? days.at(-1) ?? created,
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
    const batch = entry.find('NtryDtls')?.find('Btch')
    const isReturn = isReturnOf(entry)
    // A batch is booked as one sum, with or without its details.
    if (details.length === 0 || (batch && !isReturn && !details.some(hasReturnReason))) {
      this.#entries.push(readEntry(entry, { entry, batch, isOnly: true, first: details[0] }))
      return
    }
    for (const detail of details) {
      const isOnly = details.length === 1
      this.#entries.push(readEntry(detail, { entry, batch: undefined, isOnly, first: detail }))
    }
  }

  #endTransactionStatus(element: BankElement): void {
    if (!isRejected(element.textAt('TxSts'))) return
    const original = element.find('OrgnlTxRef')
    const amount = original && (original.find('Amt/InstdAmt') ?? original.find('Amt/EqvtAmt/Amt'))
    this.#entries.push({
      ...refusal(element),
      amount: readAmount(amount?.text, amount?.line),
      endToEndId: realReference(element.textAt('OrgnlEndToEndId')),
      mandateReference: realReference(
        original?.textAt('MndtRltdInf/DrctDbtMndt/MndtId', 'MndtRltdInf/MndtId'),
      ),
    })
  }

  /** A refusal of the whole batch, or of the whole file, which has no refusals of its transactions. */
  #endBatchStatus(element: BankElement): void {
    const status = element.textAt('PmtInfSts', 'GrpSts')
    if (status !== 'RJCT') return
    const isOfFile = element.name === 'OrgnlGrpInfAndSts'
    const id = realReference(element.textAt('OrgnlPmtInfId', 'OrgnlMsgId'))
    const hasOwn = this.#entries.some(({ kind, endToEndId }) => kind === 'refusal' && endToEndId)
    if (id === null || (hasOwn && !isOfFile)) return
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
    hasCharges: false,
    bookedOn: null,
    bankReference: null,
    messageId: null,
    batchId: null,
    returnCode: element.textAt('StsRsnInf/Rsn/Cd', 'StsRsnInf/Rsn/Prtry') ?? 'MS03',
    counterparty: null,
    purpose: element.textAt('StsRsnInf/AddtlInf') ?? null,
  }
}

function isRejected(status: string | undefined): boolean {
  return status === 'RJCT'
}

interface EntryParts {
  readonly entry: BankElement
  readonly batch: BankElement | undefined
  /** Whether the entry has no other transaction, so that its amount is the amount of this one. */
  readonly isOnly: boolean
  readonly first: BankElement | undefined
}

/** @param part the transaction, or the entry itself if it is read as a whole */
function readEntry(part: BankElement, { entry, batch, isOnly, first }: EntryParts): ReadEntry {
  const details = first ?? entry
  const kind = kindOf(entry, details, batch)
  const amountElement = part.find('Amt') ?? part.find('AmtDtls/TxAmt/Amt')
  const whole = isOnly ? (entry.find('Amt') ?? amountElement) : amountElement
  const gross = readAmount(whole?.text, whole?.line ?? part.line)
  const original = details.find('AmtDtls/InstdAmt/Amt')
  const given =
    chargesOf(part) ?? (part === entry ? undefined : isOnly ? chargesOf(entry) : undefined)
  const isReturned = kind === 'return'
  const { amount, charges } = isReturned
    ? splitCharges(gross, original && readAmount(original.text, original.line), given)
    : { amount: gross, charges: zeroMoney }
  const refs = (name: string) => realReference(details.textAt(`Refs/${name}`))
  return {
    kind,
    isCredit: (part.textAt('CdtDbtInd') ?? entry.textAt('CdtDbtInd')) === 'CRDT',
    amount,
    currency: whole?.attributes['Ccy'] ?? 'EUR',
    charges,
    hasCharges: given !== undefined || original !== undefined,
    bookedOn: dayOf(entry.textAt('BookgDt/Dt', 'BookgDt/DtTm', 'ValDt/Dt', 'ValDt/DtTm')),
    bankReference:
      realReference(details.textAt('Refs/AcctSvcrRef')) ??
      realReference(entry.textAt('AcctSvcrRef')) ??
      realReference(entry.textAt('NtryRef')),
    messageId: realReference(batch?.textAt('MsgId')) ?? refs('MsgId'),
    batchId: realReference(batch?.textAt('PmtInfId')) ?? refs('PmtInfId'),
    endToEndId: batch ? null : refs('EndToEndId'),
    mandateReference: batch ? null : refs('MndtId'),
    returnCode: isReturned ? (returnCodeOf(details, entry) ?? 'MS03') : null,
    counterparty:
      details.textAt(
        'RltdPties/Dbtr/Pty/Nm',
        'RltdPties/Dbtr/Nm',
        'RltdPties/Cdtr/Pty/Nm',
        'RltdPties/Cdtr/Nm',
      ) ?? null,
    purpose:
      [...(details.find('RmtInf')?.all('Ustrd') ?? [])].map(({ text }) => text.trim()).join(' ') ||
      entry.textAt('AddtlNtryInf') ||
      null,
  }
}

/** The amount of the direct debit, and the charges on top of it, of which banks say one, the other, or both. */
function splitCharges(gross: Money, original: Money | undefined, given: Money | undefined) {
  if (original !== undefined && isAtMost(original, gross))
    return { amount: original, charges: given ?? subtractMoney(gross, original) }
  if (given !== undefined && isAtMost(given, gross))
    return { amount: subtractMoney(gross, given), charges: given }
  return { amount: gross, charges: zeroMoney }
}

function isAtMost(left: Money, right: Money): boolean {
  return toMinorUnits(left) <= toMinorUnits(right)
}

/** `Chrgs/Rcrd/Amt` in newer versions, `Chrgs/Amt` in older ones, each as often as needed. */
function chargesOf(part: BankElement): Money | undefined {
  const elements = part.all('Chrgs').flatMap((charges) => {
    const records = charges.all('Rcrd').flatMap((record) => record.find('Amt') ?? [])
    if (records.length > 0) return records
    return charges.find('Amt') ?? charges.find('TtlChrgsAndTaxAmt') ?? []
  })
  if (elements.length === 0) return undefined
  return elements.reduce((sum, { text, line }) => addMoney(sum, readAmount(text, line)), zeroMoney)
}

/** ISO 20022 bank transaction codes, and the codes of German banks: 109 and 108 are returns. */
function isReturnOf(entry: BankElement): boolean {
  const family = entry.textAt('BkTxCd/Domn/Fmly/SubFmlyCd')
  const german = entry.textAt('BkTxCd/Prtry/Cd') ?? ''
  return family === 'UPDD' || family === 'RRTN' || /\+(108|109)(\+|$)/.test(german)
}

function hasReturnReason(details: BankElement): boolean {
  return details.find('RtrInf') !== undefined || isReturnOf(details)
}

function kindOf(
  entry: BankElement,
  details: BankElement,
  batch: BankElement | undefined,
): EntryKind {
  const isCredit = entry.textAt('CdtDbtInd') === 'CRDT'
  const isReversal = entry.textAt('RvslInd') === 'true'
  const family = entry.textAt('BkTxCd/Domn/Fmly/SubFmlyCd')
  const german = entry.textAt('BkTxCd/Prtry/Cd') ?? ''
  if (!isCredit && (isReturnOf(entry) || hasReturnReason(details) || isReversal)) return 'return'
  if (!isCredit && (family === 'CHRG' || family === 'COMM' || /\+80[0-9](\+|$)/.test(german)))
    return 'charges'
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

function dayOf(text: string | undefined): Day | null {
  const [day] = /^\d{4}-\d{2}-\d{2}/.exec(text ?? '') ?? []
  return day ?? null
}

/** Banks write `510`, `510.5` and `510.00`. */
function readAmount(text: string | undefined, line: number | undefined): Money {
  const amount =
    text === undefined
      ? zeroMoney
      : parseSum(
          text
            .trim()
            .replace(/^\+/, '')
            .replace(/(\.\d{2})0+$/, '$1'),
        )
  if (amount === undefined) throw refusedMessage(`"${text?.slice(0, 40)}" is not an amount`, line)
  return amount
}
