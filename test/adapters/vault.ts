import { randomBytes } from 'node:crypto'
import t from 'tap'
import { createVault } from '../../src/adapters/vault.ts'
import type { Encrypted } from '../../src/domain/text.ts'

const refused = /cannot be decrypted/
const secret = '{"iban":"DE12500105170648489890","name":"Müller 🌞"}'

t.test('an encrypted value can be decrypted, and shows nothing of its content [D59]', async (t) => {
  const vault = createVault(randomBytes(32))
  for (const plain of [secret, '', 'x'.repeat(100_000)]) {
    const encrypted = vault.encrypt(plain)
    t.equal(vault.decrypt(encrypted), plain)
    t.notOk(
      plain !== '' && Buffer.from(encrypted.slice(3), 'base64url').includes(plain.slice(0, 8)),
    )
    t.not(vault.encrypt(plain), encrypted, 'equal texts do not look equal')
  }
})

t.test('another key and an altered value are refused', async (t) => {
  const vault = createVault(randomBytes(32))
  const encrypted = vault.encrypt(secret)
  const refused = { message: /cannot be decrypted with the store's key.*store check/ }
  t.throws(() => createVault(randomBytes(32)).decrypt(encrypted), refused, 'another key')
  const bytes = Buffer.from(encrypted.slice(3), 'base64url')
  for (let index = 0; index < bytes.length; index++) {
    const altered = Buffer.from(bytes)
    altered[index] = (altered[index] ?? 0) ^ 1
    t.throws(
      () => vault.decrypt(`v1.${altered.toString('base64url')}` as Encrypted),
      `byte ${index}`,
    )
  }
  for (const text of ['', 'v1.', secret, encrypted.slice(3), encrypted.slice(0, 30)]) {
    t.throws(() => vault.decrypt(text as Encrypted), refused, text.slice(0, 10))
  }
})

t.test('only the key of a person decrypts the data of that person', async (t) => {
  const vault = createVault(randomBytes(32))
  const [own, other] = [vault.createKey(), vault.createKey()]
  const encrypted = vault.of(own).encrypt(secret)
  const refused = { message: /cannot be decrypted/ }
  t.equal(vault.of(own).decrypt(encrypted), secret)
  t.throws(() => vault.of(other).decrypt(encrypted), refused, 'not with the key of another person')
  t.throws(() => vault.decrypt(encrypted), refused, 'not with the key of the store')
  t.throws(() => vault.of(own).decrypt(vault.encrypt(secret)), refused, 'nor the other way round')
  const remembered = vault.of(own)
  t.equal(vault.of(own), remembered)
  vault.forget()
  t.not(vault.of(own), remembered, 'the key is forgotten')
  t.equal(vault.of(own).decrypt(encrypted), secret, 'the key is read again')
  t.throws(() => createVault(randomBytes(32)).of(own), refused, 'with another key of the store')
})

t.test('only the 10,000 keys of persons that were used last stay in memory', async (t) => {
  const vault = createVault(randomBytes(32))
  const first = vault.createKey()
  const remembered = vault.of(first)
  const encrypted = vault.of(first).encrypt(secret)
  for (let count = 0; count < 10_001; count += 1) vault.of(vault.createKey())
  t.not(vault.of(first), remembered)
  t.equal(vault.of(first).decrypt(encrypted), secret)
})

t.test(
  'the key of a person is replaced in steps, and each value can be read meanwhile',
  async (t) => {
    const vault = createVault(randomBytes(32))
    const former = vault.createKey()
    const old = vault.of(former).encrypt(secret)
    const both = vault.replacePersonalKey(former)
    t.ok(vault.of(both).hasFormerKey)
    t.equal(vault.of(both).decrypt(old), secret)
    const renewed = vault.of(both).renew(old)
    t.equal(vault.of(both).renew(renewed), renewed, 'a value of the new key stays')
    t.throws(() => vault.of(former).decrypt(renewed), refused)
    const present = vault.dropFormerKey(both)
    t.notOk(vault.of(present).hasFormerKey)
    t.equal(vault.of(present).decrypt(renewed), secret)
    t.throws(() => vault.of(present).decrypt(old), refused)
    t.throws(() => vault.of(present).renew(old), refused)
  },
)

t.test('a text from outside is decrypted with the present key only', async (t) => {
  const [oldest, present] = [randomBytes(32), randomBytes(32)]
  const fromOutside = createVault(oldest).encrypt(secret)
  const vault = createVault(present)
  vault.keys = [present, oldest]
  t.equal(vault.decrypt(fromOutside), secret, 'a stored value can still be read')
  t.throws(() => vault.decryptPresent(fromOutside), refused)
  t.equal(vault.decryptPresent(vault.encrypt(secret)), secret)
})
