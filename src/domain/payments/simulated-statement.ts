import { addMoney, type Money, moneyFromMinorUnits, toMinorUnits, zeroMoney } from '../money.ts'
import { escapeMarkup } from '../text.ts'
import type { Timestamp } from '../timestamp.ts'
import { addBankDays, type Day } from './bank-days.ts'
import {
  type DebitCollection,
  type DirectDebit,
  expectedTotal,
  messageIdOf,
} from './debit-collection.ts'

export interface SimulatedReturn {
  readonly debit: DirectDebit
  readonly returnCode: string
}

interface Simulated {
  readonly collection: DebitCollection
  readonly returns: readonly SimulatedReturn[]
  /** What the bank charges for each return. */
  readonly charges: Money
  readonly now: Timestamp
}

/**
 * The camt.053.001.08 that a German bank would send: the batch as one sum on the due date, and each return with its charges
 * two bank days later.
 */
export function simulateStatement({ collection, returns, charges, now }: Simulated): string {
  const { creditor, dueDate } = collection
  const id = messageIdOf(collection)
  const returnedOn = addBankDays(dueDate, 2)
  const entries = [
    bookingEntry(collection),
    ...returns.map((one) =>
      returnEntry(one, { charges, returnedOn, creditorId: creditor.creditorId }),
    ),
  ]
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">
<BkToCstmrStmt>
<GrpHdr><MsgId>${id}</MsgId><CreDtTm>${now}</CreDtTm></GrpHdr>
<Stmt>
<Id>${id}</Id><CreDtTm>${now}</CreDtTm>
<FrToDt><FrDtTm>${dueDate}T00:00:00Z</FrDtTm><ToDtTm>${returns.length > 0 ? returnedOn : dueDate}T23:59:59Z</ToDtTm></FrToDt>
<Acct><Id><IBAN>${creditor.iban}</IBAN></Id><Ccy>EUR</Ccy></Acct>
${balances({ collection, returns, charges, returnedOn })}
${entries.join('\n')}
</Stmt>
</BkToCstmrStmt>
</Document>
`
}

/** An account that had nothing before. */
function balances({
  collection,
  returns,
  charges,
  returnedOn,
}: Omit<Simulated, 'now'> & { readonly returnedOn: Day }): string {
  const gone = returns.map(({ debit }) => toMinorUnits(debit.amount) + toMinorUnits(charges))
  const rest = gone.reduce((left, one) => left - one, toMinorUnits(expectedTotal(collection)))
  const closing = moneyFromMinorUnits(rest < 0n ? -rest : rest)
  const balance = (code: string, amount: Money, sign: string, day: Day) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${sign}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`
  const { dueDate } = collection
  const lastDay = returns.length > 0 ? returnedOn : dueDate
  return `${balance('OPBD', zeroMoney, 'CRDT', dueDate)}
${balance('CLBD', closing, rest < 0n ? 'DBIT' : 'CRDT', lastDay)}`
}

function bookingEntry(collection: DebitCollection): string {
  const { dueDate, count, refusedCount } = collection
  const id = messageIdOf(collection)
  return `<Ntry><Amt Ccy="EUR">${expectedTotal(collection)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${dueDate}</Dt></BookgDt><ValDt><Dt>${dueDate}</Dt></ValDt><AcctSvcrRef>B${id.slice(0, 30)}</AcctSvcrRef><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>IDDT</Cd><SubFmlyCd>PMDD</SubFmlyCd></Fmly></Domn><Prtry><Cd>NMSC+192+9002</Cd><Issr>DK</Issr></Prtry></BkTxCd><NtryDtls><Btch><MsgId>${id}</MsgId><PmtInfId>${id}</PmtInfId><NbOfTxs>${count - refusedCount}</NbOfTxs></Btch></NtryDtls><AddtlNtryInf>SEPA LASTSCHRIFT EINREICHUNG</AddtlNtryInf></Ntry>`
}

interface HowReturned {
  readonly charges: Money
  readonly returnedOn: Day
  readonly creditorId: string
}

function returnEntry(
  { debit, returnCode }: SimulatedReturn,
  { charges, returnedOn, creditorId }: HowReturned,
): string {
  const { amount, endToEndId, mandateReference } = debit
  const gross = addMoney(amount, charges)
  const code =
    '<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>IDDT</Cd><SubFmlyCd>UPDD</SubFmlyCd></Fmly></Domn><Prtry><Cd>NRTI+109++000</Cd><Issr>DK</Issr></Prtry></BkTxCd>'
  const charged =
    charges === zeroMoney
      ? ''
      : `<Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">${charges}</TtlChrgsAndTaxAmt><Rcrd><Amt Ccy="EUR">${charges}</Amt><CdtDbtInd>DBIT</CdtDbtInd></Rcrd></Chrgs>`
  return `<Ntry><Amt Ccy="EUR">${gross}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${returnedOn}</Dt></BookgDt><ValDt><Dt>${returnedOn}</Dt></ValDt><AcctSvcrRef>R${endToEndId.slice(0, 34)}</AcctSvcrRef>${code}<NtryDtls><TxDtls><Refs><EndToEndId>${endToEndId}</EndToEndId><MndtId>${escapeMarkup(mandateReference)}</MndtId></Refs><Amt Ccy="EUR">${gross}</Amt><CdtDbtInd>DBIT</CdtDbtInd><AmtDtls><InstdAmt><Amt Ccy="EUR">${amount}</Amt></InstdAmt></AmtDtls>${code}${charged}<RltdPties><Cdtr><Pty><Id><PrvtId><Othr><Id>${creditorId}</Id></Othr></PrvtId></Id></Pty></Cdtr></RltdPties><RtrInf><Rsn><Cd>${returnCode}</Cd></Rsn></RtrInf></TxDtls></NtryDtls><AddtlNtryInf>LASTSCHRIFT RUECKBELASTUNG</AddtlNtryInf></Ntry>`
}
