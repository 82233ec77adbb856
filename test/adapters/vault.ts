import { randomBytes } from 'node:crypto'
import t from 'tap'
import { createVault } from '../../src/adapters/vault.ts'
import type { Sealed, SealedPlace } from '../../src/domain/sealed.ts'

const secret = '{"iban":"DE12500105170648489890","name":"Müller 🌞"}'
const place: SealedPlace = ['personalData', 'org-1', 'investor-1']

t.test('what was sealed is opened again, and tells nothing of itself', async (t) => {
  const vault = createVault(randomBytes(32))
  for (const plain of [secret, '', 'x'.repeat(100_000)]) {
    const sealed = vault.seal(plain, place)
    t.equal(vault.open(sealed, place), plain)
    t.notOk(plain !== '' && Buffer.from(sealed.slice(3), 'base64url').includes(plain.slice(0, 8)))
    t.not(vault.seal(plain, place), sealed, 'equal texts are not seen to be equal')
  }
})

t.test('another key, and anything that was altered, is refused', async (t) => {
  const vault = createVault(randomBytes(32))
  const sealed = vault.seal(secret, place)
  t.throws(() => createVault(randomBytes(32)).open(sealed, place), 'another key')
  const bytes = Buffer.from(sealed.slice(3), 'base64url')
  for (let index = 0; index < bytes.length; index++) {
    const altered = Buffer.from(bytes)
    altered[index] = (altered[index] ?? 0) ^ 1
    t.throws(
      () => vault.open(`v2.${altered.toString('base64url')}` as Sealed, place),
      `byte ${index}`,
    )
  }
  for (const text of [
    '',
    'v1.',
    'v2.',
    secret,
    sealed.replace('v2.', 'v1.'),
    sealed.slice(3),
    sealed.slice(0, 30),
  ]) {
    t.throws(() => vault.open(text as Sealed, place), text.slice(0, 10))
  }
})

t.test('what was sealed for one place is opened in no other one', async (t) => {
  const vault = createVault(randomBytes(32))
  const sealed = vault.seal(secret, place)
  const others: readonly SealedPlace[] = [
    ['personalData', 'org-2', 'investor-1'],
    ['debtorIban', 'org-1', 'investor-1'],
    ['personalData', 'org-1'],
    ['personalData', 'org-1', 'investor', '-1'],
    ['personalData', 'org-1', 'investor-1', ''],
    ['personalData","org-1', 'investor-1'],
  ]
  for (const other of others) t.throws(() => vault.open(sealed, other), other.join())
})

t.test('what was sealed before there were places is opened', async (t) => {
  const vault = createVault(Buffer.alloc(32, 'k'))
  const sealed =
    'v1.pDjv0O5I1tccmVfvpi-zc2OAxpGAY5-6mWDoR_06XKE3cJuoTY4U1UE88Ye7KT2M6YIgZc273CfAMD_CQM43J0qNuxdJrhAEXuz3iGIwaaTmqsc' as Sealed
  t.equal(vault.open(sealed, place), secret)
})
