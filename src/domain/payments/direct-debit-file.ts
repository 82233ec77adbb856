import { type Money, toMinorUnits } from '../money.ts'
import { escapeMarkup } from '../text.ts'
import type { Timestamp } from '../timestamp.ts'
import { isTooLong, maximumNameLength, shortenBankText } from './bank-text.ts'
import {
  type DebitCollection,
  type Debtor,
  type DebtorAddress,
  type DirectDebit,
  messageIdOf,
} from './debit-collection.ts'

interface FileHead
  extends Pick<
    DebitCollection,
    'collectionId' | 'creditor' | 'dueDate' | 'count' | 'total' | 'createdAt'
  > {
  readonly createdAt: Timestamp
}

type Debit = Pick<DirectDebit, 'endToEndId' | 'amount' | 'mandateReference' | 'mandateSignedOn'> & {
  readonly debtor: Debtor
  readonly remittance: string
}

/** The platform only makes the file; the creditor is the cooperative. */
const initiatingParty = 'coopshare'

/** The beginning of a pain.008.001.08 in the German subset (DFÜ agreement, annex 3), up to the first direct debit. */
export function fileHead(collection: FileHead): string {
  const { creditor, dueDate, count, total, createdAt } = collection
  const messageId = messageIdOf(collection)
  const name = nameElement(creditor.name)
  const sums = `<NbOfTxs>${count}</NbOfTxs><CtrlSum>${total}</CtrlSum>`
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.008.001.08">
<CstmrDrctDbtInitn>
<GrpHdr><MsgId>${messageId}</MsgId><CreDtTm>${createdAt.slice(0, 19)}Z</CreDtTm>${sums}<InitgPty><Nm>${initiatingParty}</Nm></InitgPty></GrpHdr>
<PmtInf>
<PmtInfId>${messageId}</PmtInfId><PmtMtd>DD</PmtMtd><BtchBookg>true</BtchBookg>${sums}
<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl><LclInstrm><Cd>CORE</Cd></LclInstrm><SeqTp>RCUR</SeqTp></PmtTpInf>
<ReqdColltnDt>${dueDate}</ReqdColltnDt>
<Cdtr>${name}</Cdtr><CdtrAcct><Id><IBAN>${creditor.iban}</IBAN></Id></CdtrAcct><CdtrAgt>${agent(creditor.bic)}</CdtrAgt><ChrgBr>SLEV</ChrgBr>
<CdtrSchmeId><Id><PrvtId><Othr><Id>${creditor.creditorId}</Id><SchmeNm><Prtry>SEPA</Prtry></SchmeNm></Othr></PrvtId></Id></CdtrSchmeId>
`
}

export const fileEnd = `</PmtInf>
</CstmrDrctDbtInitn>
</Document>
`

/** One direct debit of the file, on a line of its own. */
export function debitElement(debit: Debit): string {
  const { endToEndId, amount, mandateReference, mandateSignedOn, debtor, remittance } = debit
  return `<DrctDbtTxInf><PmtId><EndToEndId>${endToEndId}</EndToEndId></PmtId><InstdAmt Ccy="EUR">${amount}</InstdAmt><DrctDbtTx><MndtRltdInf><MndtId>${escapeMarkup(mandateReference)}</MndtId><DtOfSgntr>${mandateSignedOn}</DtOfSgntr></MndtRltdInf></DrctDbtTx><DbtrAgt>${agent(debtor.bic)}</DbtrAgt><Dbtr>${nameElement(debtor.name)}${addressElement(debtor.address)}</Dbtr><DbtrAcct><Id><IBAN>${debtor.iban}</IBAN></Id></DbtrAcct><RmtInf><Ustrd>${bankText(remittance, 140)}</Ustrd></RmtInf></DrctDbtTxInf>
`
}

function nameElement(name: string): string {
  return `<Nm>${bankText(name, maximumNameLength)}</Nm>`
}

function agent(bic: string | null): string {
  const id = bic === null ? '<Othr><Id>NOTPROVIDED</Id></Othr>' : `<BICFI>${bic}</BICFI>`
  return `<FinInstnId>${id}</FinInstnId>`
}

function addressElement(address: DebtorAddress | undefined): string {
  if (!address) return ''
  const parts = addressParts(address).map((part) => element(...part))
  return `<PstlAdr>${parts.join('')}<Ctry>${address.country}</Ctry></PstlAdr>`
}

type AddressPart = readonly [name: string, text: string, maximumLength: number]

/** A longer house number moves into the street, where it is cut off last. */
function addressParts(address: DebtorAddress): readonly AddressPart[] {
  const { street, houseNumber, postalCode, town } = address
  const isLong = isTooLong(houseNumber, 16)
  return [
    ['StrtNm', isLong ? `${street} ${houseNumber}` : street, 70],
    ['BldgNb', isLong ? '' : houseNumber, 16],
    ['PstCd', postalCode, 16],
    ['TwnNm', town, 35],
  ]
}

/** Whether the file has only a part of the address. */
export function isCutOff(address: DebtorAddress): boolean {
  return addressParts(address).some(([, text, maximumLength]) => isTooLong(text, maximumLength))
}

const [least, most] = [1n, 99_999_999_999n]

/** Why no direct debit can have this amount, as a clause; undefined if one can. */
export function amountError(amount: Money): string | undefined {
  const cents = toMinorUnits(amount)
  return cents < least || cents > most
    ? `a direct debit can have 0.01 to 999999999.99 EUR, but this payment has ${amount}: ask for a transfer`
    : undefined
}

function element(name: string, text: string, maximumLength: number): string {
  const shown = bankText(text, maximumLength)
  return shown === '' ? '' : `<${name}>${shown}</${name}>`
}

function bankText(text: string, maximumLength: number): string {
  return escapeMarkup(shortenBankText(text, maximumLength))
}
