import t from 'tap'
import { completeProfile, germanIban } from '../../fixtures/builders/investors.ts'
import { startPeer } from '../../fixtures/servers/peer.ts'
import { createCustomer } from '../../fixtures/world/customer.ts'
import { createBankDirectory } from '../../src/adapters/bank-directory.ts'

const swiss = 'CH9300762011623852957'
const french = 'FR1420041010050500013M02606'
const dutch = 'NL91ABNA0417164300'
const unknownGermanBank = 'DE23999999990000000000'
const germanBankWithoutBic = 'DE38600500090000000000'
const both = ['bank_account.bic', 'bank_account.institution']

function profileWith(iban: string, details: { bic?: string; institution?: string } = {}) {
  return completeProfile({ bank_account: { iban, ...details } })
}

t.test('a profile with an account outside Germany can be complete [D13]', async (t) => {
  const customer = await createCustomer({ bankDirectory: createBankDirectory() })
  for (const [iban, bic] of [
    [swiss, null],
    [french, 'PSSTFRPPXXX'],
    [dutch, 'ABNANL2A'],
    ['GB29NWBK60161331926819', null],
    ['PL61109010140000071219812874', null],
  ] as const) {
    const { status, body } = await customer.putProfile(profileWith(iban))
    t.equal(status, 200, iban)
    t.match(body.bank_account, { bic, institution: null }, iban)
    t.strictSame([body.is_profile_complete, body.missing_profile_fields], [true, []], iban)
  }
})

t.test('a profile with an unknown German bank code stays incomplete [D13]', async (t) => {
  const customer = await createCustomer({ bankDirectory: createBankDirectory() })
  const unknown = await customer.putProfile(profileWith(unknownGermanBank))
  t.strictSame(unknown.body.missing_profile_fields, both)
  const sent = { bic: 'INGDDEFF', institution: 'ING-DiBa' }
  const told = await customer.putProfile(profileWith(unknownGermanBank, sent))
  t.strictSame(told.body.missing_profile_fields, [], 'the profile is complete when both are sent')
  const known = await customer.putProfile(profileWith(germanBankWithoutBic))
  t.match(known.body.bank_account, { bic: null, institution: /Landesbank/ })
  t.strictSame(known.body.missing_profile_fields, [], 'a bank that exists but has no BIC')
})

t.test('while a look-up is unavailable, every profile stays incomplete [D13]', async (t) => {
  const down = await startPeer(t, (_request, response) => response.writeHead(503).end())
  const bankDirectory = createBankDirectory({ lookupUrl: down.url, allowPrivate: true })
  const customer = await createCustomer({ bankDirectory })
  for (const [iban, missing] of [
    [swiss, both],
    [dutch, ['bank_account.institution']],
    [unknownGermanBank, both],
    [germanIban, []],
  ] as const) {
    const { body } = await customer.putProfile(profileWith(iban))
    t.strictSame(body.missing_profile_fields, missing, iban)
    t.strictSame((await customer.read()).body.missing_profile_fields, missing, iban)
  }
  const sent = await customer.putProfile(profileWith(swiss, { bic: 'UBSWCHZH', institution: 'U' }))
  t.equal(sent.body.is_profile_complete, true, 'a look-up is not needed if both are sent')
})

t.test('a profile can be complete even if the look-up does not know the bank [D13]', async (t) => {
  const peer = await startPeer(t, (_request, response) => {
    response.setHeader('content-type', 'application/json').end('{"valid":false,"bankData":{}}')
  })
  const bankDirectory = createBankDirectory({ lookupUrl: peer.url, allowPrivate: true })
  const customer = await createCustomer({ bankDirectory })
  const foreign = await customer.putProfile(profileWith(swiss))
  t.strictSame(foreign.body.missing_profile_fields, [])
  const german = await customer.putProfile(profileWith(unknownGermanBank))
  t.strictSame(german.body.missing_profile_fields, both)
})
