import t from 'tap'
import { debitCollectionRecord } from '../../../fixtures/builders/payment-records.ts'
import type { Profile } from '../../../src/domain/investors/profile.ts'
import { parseMoney } from '../../../src/domain/money.ts'
import type { Debtor } from '../../../src/domain/payments/debit-collection.ts'
import { debtorOf, isShortened } from '../../../src/domain/payments/debtor.ts'
import { debitElement, fileHead } from '../../../src/domain/payments/direct-debit-file.ts'

const money = (text: string) => parseMoney(text) ?? (undefined as never)
const lena: Debtor = { name: 'Lena Hofmeister', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' }
const debit = {
  endToEndId: 'f97142acc8d85da1ba006b66f2c74585',
  amount: money('999999999.99'),
  mandateReference: "M-1'x",
  mandateSignedOn: '2026-11-20',
  remittance: 'Geschäftsanteile',
}

t.test('the head of a file has the sums at both levels and no local time', async (t) => {
  const head = fileHead({
    ...debitCollectionRecord({ count: 3, total: money('1535.00') }),
    collectionId: '01a221d6-3cea-75f4-8f3d-7736e7cd2cbc',
  })
  t.equal(head.split('<NbOfTxs>3</NbOfTxs><CtrlSum>1535.00</CtrlSum>').length, 3)
  t.match(head, /<CreDtTm>[\d-]{10}T[\d:]{8}Z<\/CreDtTm>/)
  for (const part of [
    '<MsgId>01a221d63cea75f48f3d7736e7cd2cbc</MsgId>',
    '<Cd>CORE</Cd>',
    '<SeqTp>RCUR</SeqTp>',
    '<ChrgBr>SLEV</ChrgBr>',
    '<InitgPty><Nm>coopshare</Nm></InitgPty>',
    '<Cdtr><Nm>Sonnenfirst Allgaeu eG</Nm></Cdtr>',
    '<ReqdColltnDt>2026-12-14</ReqdColltnDt>',
    '<Prtry>SEPA</Prtry>',
  ]) {
    t.ok(head.includes(part), part)
  }
})

t.test('a direct debit names the account holder in the character set of banks', async (t) => {
  const element = debitElement({ ...debit, debtor: { ...lena, name: 'Jörg & <Söhne>' } })
  t.match(element, '<Nm>Joerg + (Soehne)</Nm>')
  t.match(element, '<MndtId>M-1&#39;x</MndtId><DtOfSgntr>2026-11-20</DtOfSgntr>')
  t.match(element, '<InstdAmt Ccy="EUR">999999999.99</InstdAmt>')
  t.match(element, '<Ustrd>Geschaeftsanteile</Ustrd>')
  t.notMatch(element, /UETR|AdrLine|PstlAdr/)
})

t.test('a bank whose BIC is unknown is not provided', async (t) => {
  const element = debitElement({ ...debit, debtor: { ...lena, bic: null } })
  t.match(element, '<DbtrAgt><FinInstnId><Othr><Id>NOTPROVIDED</Id></Othr></FinInstnId></DbtrAgt>')
})

t.test('a house number that is too long moves into the street', async (t) => {
  const address = { street: 'Am Hof', postalCode: '87435', town: 'Kempten', country: 'DE' }
  const short = { ...address, houseNumber: '12a' }
  const long = { ...address, houseNumber: '12a, Hinterhaus rechts' }
  t.match(
    debitElement({ ...debit, debtor: { ...lena, address: short } }),
    '<PstlAdr><StrtNm>Am Hof</StrtNm><BldgNb>12a</BldgNb><PstCd>87435</PstCd><TwnNm>Kempten</TwnNm><Ctry>DE</Ctry></PstlAdr>',
  )
  t.match(
    debitElement({ ...debit, debtor: { ...lena, address: long } }),
    '<StrtNm>Am Hof 12a, Hinterhaus rechts</StrtNm><PstCd>',
  )
})

const profile: Profile = {
  firstName: 'Lena',
  lastName: 'Hofmeister',
  birthDate: null,
  taxId: null,
  phone: null,
  address: { street: 'Am Hof', houseNumber: '1', postalCode: '87435', city: 'Kempten' },
  bankAccount: {
    iban: lena.iban,
    bic: 'COBADEFFXXX',
    institution: null,
    accountHolder: 'Hofmeister GbR',
    isBankOutstanding: false,
  },
  company: null,
  consents: {
    terms: { given: false, givenAt: null },
    privacy: { given: false, givenAt: null },
    dataSharing: { given: false, givenAt: null },
    representationAuthorization: { given: false, givenAt: null },
  },
}

t.test('the payer is the account holder, if the account is that of the profile', async (t) => {
  t.match(debtorOf(profile, lena.iban), { debtor: { name: 'Hofmeister GbR', bic: 'COBADEFFXXX' } })
  t.match(debtorOf(profile, 'DE02120300000000202051'), {
    debtor: { name: 'Lena Hofmeister', bic: null },
  })
  const company = { name: 'Sonne', legalForm: 'GmbH', taxId: 'DE1' }
  t.match(debtorOf({ ...profile, company }, 'DE02120300000000202051'), {
    debtor: { name: 'Sonne' },
  })
})

t.test('outside the EEA a file needs the address, so some payers are left out [D72]', async (t) => {
  const swiss = 'CH9300762011623852957'
  t.match(debtorOf(profile, swiss), { debtor: { address: { town: 'Kempten', country: 'DE' } } })
  for (const postalCode of ['8001', 'W1A 1AA', '']) {
    const address = { street: 'Hof', houseNumber: '1', postalCode, city: 'Zürich' }
    t.match(debtorOf({ ...profile, address }, swiss), { reason: /CH, outside the EEA/ })
  }
  t.match(debtorOf({ ...profile, address: null }, 'GB29NWBK60161331926819'), { reason: /GB/ })
  t.match(debtorOf({ ...profile, address: null }, 'LI21088100002324013AA'), { debtor: {} })
})

t.test('a name or an address that is too long is noticed', async (t) => {
  t.notOk(isShortened({ name: 'x'.repeat(70) }))
  t.ok(isShortened({ name: `${'x'.repeat(69)}ä` }))
  const address = { street: 'Am Hof', houseNumber: '1', postalCode: '87435', town: 'Kempten' }
  const name = 'Lena'
  const isCut = (fields: Partial<typeof address>) =>
    isShortened({ name, address: { ...address, ...fields, country: 'DE' } })
  t.notOk(isCut({ houseNumber: '12a, Hinterhaus rechts' }))
  t.ok(isCut({ town: 'x'.repeat(36) }))
  t.ok(isCut({ street: 'x'.repeat(60), houseNumber: '12a, Hinterhaus rechts' }))
})
