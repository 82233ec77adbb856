import { randomBytes } from 'node:crypto'
import t from 'tap'
import { createVault } from '../../../src/adapters/vault.ts'
import type { Profile } from '../../../src/domain/investors/profile.ts'
import type { Encrypted } from '../../../src/domain/text.ts'
import type { Settings } from '../../../src/ports/collections.ts'
import type { Vault } from '../../../src/ports/vault.ts'
import { createSearchTerms, readSearchTerms } from '../../../src/usecases/investors/search-terms.ts'

const iban = 'DE02120300000000202051'
const reader = (keys: Pick<Settings, 'encryptedSearchKey' | 'encryptedFormerSearchKey'>) => ({
  settings: {
    get: async () =>
      ({ environment: 'staging', createdAt: '2026-01-10T09:30:00Z', ...keys }) as Settings,
  },
})

/** A vault that counts what it decrypts. */
function countingVault() {
  const vault = createVault(randomBytes(32))
  const counted = { opened: 0 }
  const open = (encrypted: Encrypted) => {
    counted.opened += 1
    return vault.decrypt(encrypted)
  }
  return { vault: { ...vault, decrypt: open } satisfies Vault, counted }
}

t.test('the key of the search is decrypted once, until the key changes', async (t) => {
  const { vault, counted } = countingVault()
  const first = vault.createKey()
  const second = vault.createKey()
  const terms = async (keys: Parameters<typeof reader>[0]) =>
    (await readSearchTerms(reader(keys), { vault })).ofText('iban', iban)
  const [before] = await terms({ encryptedSearchKey: first })
  for (let order = 0; order < 10; order += 1) {
    t.strictSame(await terms({ encryptedSearchKey: first }), [before])
  }
  t.equal(counted.opened, 1)
  const during = await terms({ encryptedSearchKey: second, encryptedFormerSearchKey: first })
  t.equal(counted.opened, 3)
  t.strictSame(during[1], before, 'the terms of the former key are found as well')
  t.notSame(during[0], before)
  const after = await terms({ encryptedSearchKey: second })
  t.strictSame(after, [during[0]], 'the former key is forgotten')
})

t.test('each store has its own key of the search', async (t) => {
  const [one, other] = [countingVault().vault, countingVault().vault]
  const encryptedSearchKey = one.createKey()
  await readSearchTerms(reader({ encryptedSearchKey }), { vault: one })
  await t.rejects(readSearchTerms(reader({ encryptedSearchKey }), { vault: other }))
})

const secret = Buffer.alloc(32, 1).toString('base64')

function termsOf(names: { firstName?: string; lastName?: string; company?: string }) {
  const { company, ...person } = names
  const profile = { ...person, ...(company && { company: { name: company } }) } as Profile
  const { ofInvestor } = createSearchTerms(secret)
  return ofInvestor({ partnerCustomerRef: 'c-1', email: null, profile })
}

// cspell:disable
t.test(
  'the terms of an investor are few, short and in no order that says anything [D64]',
  async (t) => {
    const terms = termsOf({ firstName: 'Anna', lastName: 'Hofmann' })
    t.strictSame(terms, terms.toSorted())
    // The reference, two words, and the beginnings ann, anna, hof, hofm, hofma, hofman and hofmann.
    t.strictSame(
      terms.map(({ length }) => length).toSorted(),
      [...Array.from({ length: 3 }, () => 16), ...Array.from({ length: 7 }, () => 8)].toSorted(),
    )
    const longest = termsOf({ company: 'Überlandwerkgenossenschaftsverwaltung '.repeat(30) })
    t.ok(longest.length <= 101, `${longest.length} terms`)
    const long = Array.from(
      { length: 30 },
      (_, at) => `${'abcdefghijklmnopqrstuvwxyz'[at % 26]}${at}überlandwerkgenossenschaft`,
    )
    t.equal(termsOf({ company: long.join(' ') }).length, 101)
  },
)
