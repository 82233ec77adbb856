import { randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import {
  clientRecord,
  cooperativeRecord,
  endpointRecord,
  holdingRecord,
  idempotencyRecord,
  investorRecord,
  organizationRecord,
  sharePurchaseRecord,
  signingKeyRecord,
} from '../../fixtures/builders/records.ts'
import { instant } from '../../fixtures/builders/share-purchases.ts'
import { anything } from '../../fixtures/builders/subject.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { createDatabase, stopServer } from '../../fixtures/postgres/databases.ts'
import { fillStore } from '../../fixtures/program/run-command.ts'
import { runCoopshare, serve } from '../../fixtures/program/serve.ts'
import { applyToHolding, openHolding } from '../../src/domain/holdings/holding.ts'
import type { Service } from '../../src/usecases/service.ts'

t.teardown(stopServer)

const ownKey = randomBytes(32).toString('hex')
const otherKey = randomBytes(32).toString('hex')
/** The investors fill more than one batch. */
const investorCount = 1001
/** The data and the key of each investor, the search key and a signing key. */
const encryptedCount = 2 * investorCount + 2

interface Place {
  readonly dataDirectory: string
  readonly keyFile?: string
  /** The flags for the database, if the store is not in the directory. */
  readonly database: readonly string[]
}

async function inDirectory(t: Test): Promise<Place> {
  const directory = t.testdir({ data: {}, key: ownKey })
  return { dataDirectory: join(directory, 'data'), keyFile: join(directory, 'key'), database: [] }
}

async function inDatabase(t: Test): Promise<Place> {
  const { options, drop } = await createDatabase()
  t.teardown(drop)
  return { ...(await inDirectory(t)), database: ['--database-url', options.url] }
}

function fill(place: Place, work: (service: Service) => Promise<void>): Promise<void> {
  const { dataDirectory, keyFile, database } = place
  const key = keyFile === undefined ? [] : ['--encryption-key-file', keyFile]
  return fillStore(dataDirectory, work, ...database, ...key)
}

/** @param key the encryption key; undefined if no key is given */
async function check({ dataDirectory, database }: Place, key?: string) {
  const argv = ['store', 'check', '--json', '--data-dir', dataDirectory, ...database]
  const ended = await runCoopshare(argv, key === undefined ? {} : { COOPSHARE_ENCRYPTION_KEY: key })
  return { ...ended, json: JSON.parse(ended.stdout) }
}

async function putInvestors({ store, vault }: Service): Promise<void> {
  await store.write(anything, async (records) => {
    await records.organizations.put(organizationRecord())
    for (let number = 0; number < investorCount; number += 1) {
      const ids = { investorId: `investor-${number}`, partnerCustomerRef: `ref-${number}` }
      const encryptedKey = vault.createKey()
      const encryptedPersonalData = vault.of(encryptedKey).encrypt('{}')
      await records.investors.put(investorRecord({ ...ids, encryptedKey, encryptedPersonalData }))
    }
  })
}

/** Puts records with values that were never encrypted. */
async function putDamaged({ store }: Service): Promise<void> {
  await store.write(anything, async (records) => {
    await records.clients.put(clientRecord())
    await records.cooperatives.put(cooperativeRecord())
    await records.signingKeys.put(signingKeyRecord('kid-1'))
    await records.investors.put(investorRecord())
    await records.sharePurchases.put(sharePurchaseRecord(1))
    await records.holdings.put(holdingRecord())
    await records.idempotencyRecords.put({
      ...idempotencyRecord('of-a-partner'),
      // The keys must not expire, because a service removes expired keys.
      expiresAt: instant('2999-01-01T00:00:00Z'),
    })
    await records.webhookEndpoints.put(endpointRecord())
  })
}

/** Puts a draft. It is stored, but no holding counts it. */
async function putDraft({ store, vault }: Service): Promise<void> {
  const order = sharePurchaseRecord(1, { investorId: 'investor-0', status: 'draft' })
  const encryptedDebtorIban = vault.encrypt('DE89370400440532013000')
  const sepaMandate = { ...order.sepaMandate, encryptedDebtorIban }
  const holding = openHolding({ ...order, id: 'holding-of-a-draft' }, order.createdAt)
  await store.write(anything, async (records) => {
    await records.cooperatives.put(cooperativeRecord())
    await records.sharePurchases.put({ ...order, sepaMandate })
    await records.holdings.put(applyToHolding(holding, order))
  })
}

const damage = [
  /^signingKeys kid-1: its encryptedPrivateJwk cannot be decrypted/,
  /^investors investor-1: its encryptedPersonalData cannot be decrypted/,
  /^investors investor-1: its encryptedKey cannot be decrypted/,
  /^sharePurchases purchase-1: its encryptedDebtorIban cannot be decrypted/,
  /^idempotencyRecords of order purchase-1: its encryptedRequestDigest cannot be decrypted/,
  /^webhookEndpoints endpoint-1: its encryptedSigningSecret cannot be decrypted/,
]

for (const [engine, make] of Object.entries({ directory: inDirectory, database: inDatabase })) {
  t.test(`check decrypts every encrypted value in a ${engine}`, async (t) => {
    const place = await make(t)
    await fill(place, putInvestors)
    const sound = await check(place, ownKey)
    t.equal(sound.code, 0, sound.stdout)
    t.match(sound.json, exactArrays({ sound: true, problems: [], sealed_values: encryptedCount }))

    await t.test('a draft does not count in a holding', async (t) => {
      await fill(place, putDraft)
      const { code, json } = await check(place, ownKey)
      t.strictSame([code, json.problems], [0, []])
    })

    await t.test('a key of another store is refused', async (t) => {
      const refused = await check(place, otherKey)
      t.equal(refused.code, 5, refused.stdout)
      t.equal(refused.json.error.code, 'ENCRYPTION_KEY_REFUSED')
    })

    await t.test('without a key, check says that it did not decrypt values', async (t) => {
      const keyless = await check(place)
      t.equal(keyless.code, 0, keyless.stdout)
      t.match(keyless.json, { sound: true, sealed_values: null })
      t.match(keyless.stderr, /Encrypted values were not checked: no key given/)
    })

    await t.test('check names damaged records, but shows no content', async (t) => {
      await fill(place, putDamaged)
      const { code, json, stdout, stderr } = await check(place, ownKey)
      t.equal(code, 1)
      t.equal(json.sound, false)
      for (const sentence of damage) t.ok(json.problems.some((said: string) => sentence.test(said)))
      t.equal(json.problems.length, damage.length, json.problems.join('\n'))
      t.notMatch(stdout + stderr, /v1\.encrypted|of-a-partner/)
    })

    await t.test('check works while a service runs', async (t) => {
      const { dataDirectory, keyFile = '', database } = place
      const argv = ['--data-dir', dataDirectory, '--encryption-key-file', keyFile, ...database]
      const served = await serve(t, argv)
      const variables = {
        COOPSHARE_OPERATOR_URL: served.operator_url,
        COOPSHARE_OPERATOR_TOKEN: await operatorToken(dataDirectory),
      }
      const { code, stdout } = await runCoopshare(['store', 'check', '--json'], variables)
      t.equal(code, 1)
      t.equal(JSON.parse(stdout).problems.length, damage.length, stdout)
      await served.stop()
    })
  })
}

async function operatorToken(dataDirectory: string): Promise<string> {
  return JSON.parse(await readFile(join(dataDirectory, 'control.json'), 'utf8')).token
}

t.test('check uses the key in the directory automatically', async (t) => {
  const dataDirectory = t.testdir()
  const place = { dataDirectory, database: [] }
  await fill(place, putInvestors)
  const keyFile = join(dataDirectory, 'encryption.key')
  t.match((await check(place)).json, { sealed_values: encryptedCount })
  t.equal((await check(place, otherKey)).code, 5)
  await writeFile(keyFile, otherKey)
  t.equal((await check(place)).code, 5)
  await rm(keyFile)
  t.match((await check(place)).json, { sound: true, sealed_values: null })
})
