import { hkdfSync, randomBytes } from 'node:crypto'
import { cp, readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import t, { type Test } from 'tap'
import StoreBackup from '../../commands/store/backup.ts'
import StoreCheck from '../../commands/store/check.ts'
import StoreCopy from '../../commands/store/copy.ts'
import StoreRekey from '../../commands/store/rekey.ts'
import StoreVerifyBackup from '../../commands/store/verify-backup.ts'
import { until } from '../../fixtures/async.ts'
import { connectOperator } from '../../fixtures/program/operator-client.ts'
import { signIn } from '../../fixtures/program/partner-client.ts'
import { fillStore, runCommand } from '../../fixtures/program/run-command.ts'
import { runCoopshare, serve } from '../../fixtures/program/serve.ts'
import { type SeededOrders, seedOrders } from '../../fixtures/world/seed-orders.ts'
import { chooseRotation, vaultOf } from '../../src/adapters/encryption-key.ts'
import { restoreStore } from '../../src/adapters/lowdb/backup.ts'
import { checkStore } from '../../src/adapters/lowdb/check-store.ts'
import { openLowdbStore } from '../../src/adapters/lowdb/open-store.ts'
import { writeManifest } from '../../src/adapters/lowdb/store-directory.ts'
import { investors } from '../../src/adapters/store/investors.ts'
import type { Encrypted } from '../../src/domain/text.ts'
import type { Cipher } from '../../src/ports/vault.ts'
import { createSearchTerms } from '../../src/usecases/investors/search-terms.ts'
import { createKeyRenewal } from '../../src/usecases/store/renew-keys.ts'

const skip = process.env['COOPSHARE_TEST_ENGINE'] === 'postgres' && 'this is about a data directory'
const [oldKey, newKey] = ['ab'.repeat(32), 'cd'.repeat(32)]

interface Filled {
  readonly directory: string
  readonly seed: SeededOrders
}

async function fill(t: Test, orders: number, ...argv: string[]): Promise<Filled> {
  // Because of this first teardown, tap waits for processes that still write before it removes the
  // directory.
  t.teardown(() => {})
  const directory = join(t.testdir({ data: {}, oldKey, newKey }), 'data')
  return { directory, seed: await fillStore(directory, seedOrders(orders), ...argv) }
}

const ownKey = (directory: string) => readFile(join(directory, 'encryption.key'), 'utf8')
const readManifest = async (directory: string) =>
  JSON.parse(await readFile(join(directory, 'store.json'), 'utf8'))

/** Finds everything in the files that looks encrypted. */
async function encryptedIn(directory: string): Promise<readonly Encrypted[]> {
  return ((await readFiles(directory)).match(/v1\.[\w-]{40,}/g) ?? []) as Encrypted[]
}

/** Control characters and letters of other encodings stay, each as one character. */
async function readFiles(directory: string): Promise<string> {
  const found = await readdir(directory, { withFileTypes: true, recursive: true })
  const files = found.filter((one) => one.isFile())
  const texts = files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1'))
  return (await Promise.all(texts)).join('\n')
}

function canOpen(cipher: Cipher, encrypted: Encrypted): boolean {
  try {
    return cipher.decrypt(encrypted) !== undefined
  } catch {
    return false
  }
}

interface Leak {
  readonly ciphers: readonly Cipher[]
  /** Keys, secrets and digests. */
  readonly known: readonly string[]
}

const allEncrypted = (text: string) => (text.match(/v\d+\.[\w-]+/g) ?? []) as Encrypted[]

/** All that the files of a store give away to somebody who has its key. */
function readLeak(text: string, key: string): Leak {
  const vault = vaultOf(key)
  const plains = allEncrypted(text).flatMap((one) =>
    canOpen(vault, one) ? vault.decrypt(one) : [],
  )
  const keys = plains.filter((plain) => Buffer.from(plain, 'base64').length === 32)
  const lists = [...text.matchAll(/"searchTerms":(\[[^\]]*\])/g)]
  const terms = lists.flatMap(([, list = '']): string[] => JSON.parse(list))
  const ciphers = [vault, ...keys.map((one) => vault.of(vault.encrypt(one)))]
  return { ciphers, known: [key, ...plains.filter((plain) => plain.length > 15), ...terms] }
}

/** What is decrypted or recognized in the files of a store with what has leaked. */
function findLeaked(text: string, { ciphers, known }: Leak): readonly string[] {
  const opened = allEncrypted(text).filter((one) => ciphers.some((cipher) => canOpen(cipher, one)))
  return [...opened, ...known.filter((one) => text.includes(one))]
}

function countOpened(encrypted: readonly Encrypted[], key: string): number {
  const vault = vaultOf(key)
  return encrypted.filter((one) => canOpen(vault, one)).length
}

async function start({ directory, seed }: Filled, t: Test, ...argv: string[]) {
  const served = await serve(t, ['--data-dir', directory, '--log-level', 'silent', ...argv])
  const partner = await signIn(served.base_url, {
    client_id: seed.clientId,
    client_secret: seed.clientSecret,
  })
  const order = async () => (await partner.order(seed.investorId, seed.cooperativeId)).status
  return { served, order, operator: await connectOperator(directory) }
}

t.test('the key of a directory changes while orders are placed', { skip }, async (t) => {
  const filled = await fill(t, 300)
  const { directory } = filled
  const before = await ownKey(directory)
  const { served, order, operator } = await start(filled, t)
  const rekeying = operator.call('store.rekey', {})
  let isOver = false
  void rekeying.finally(() => {
    isOver = true
  })
  const statuses = [await order()]
  while (!isOver) statuses.push(await order())
  t.match(await rekeying, { resumed: false, key_in_store: true })
  t.ok(statuses.every((status) => status === 201))
  t.equal(await order(), 201)
  const after = await ownKey(directory)
  t.not(after, before)
  t.match(await operator.call('store.check', {}), { sound: true })
  await served.stop()
  const encrypted = await encryptedIn(directory)
  t.ok(encrypted.length > 2, 'keys of investors, of tokens and of the search')
  t.equal(countOpened(encrypted, before), 0, 'the previous key decrypts nothing')
  t.equal(countOpened(encrypted, after), encrypted.length, 'the new key decrypts everything')
  t.match((await runCommand(StoreCheck, '--data-dir', directory, '--json')).json, { sound: true })
})

/** What somebody can read who has a copy of the store and its key. */
async function readSecrets(directory: string) {
  const store = await openLowdbStore({ directory, onlyExisting: true })
  const { vault } = store
  const read = await store.read(async ({ settings, investors, sharePurchases }) => {
    const { encryptedSearchKey } = (await settings.get()) ?? {}
    const persons = await investors.list({ limit: 100 })
    const orders = await sharePurchases.list({ limit: 1000 })
    const [order] = orders
    const owner = persons.find(({ investorId }) => investorId === order?.investorId)
    return {
      searchKey: encryptedSearchKey ? vault.decrypt(encryptedSearchKey) : '',
      personalKeys: persons.flatMap(({ encryptedKey }) =>
        encryptedKey ? [vault.decrypt(encryptedKey)] : [],
      ),
      terms: [...persons, ...orders].flatMap(({ searchTerms = [] }) => searchTerms),
      iban: order
        ? vault.of(owner?.encryptedKey).decrypt(order.sepaMandate.encryptedDebtorIban)
        : '',
    }
  })
  await store.close()
  return read
}

t.test(
  'after a change, nobody confirms or opens anything with the previous keys [D59]',
  {
    skip,
  },
  async (t) => {
    const filled = await fill(t, 20)
    const { directory, seed } = filled
    const keyBefore = await ownKey(directory)
    const [copy, backup] = [join(t.testdirName, 'copy'), join(t.testdirName, 'later.backup')]
    const { served, operator } = await start(filled, t, '--allow-private-webhooks')
    const partner = await signIn(served.base_url, {
      client_id: seed.clientId,
      client_secret: seed.clientSecret,
    })
    const keyed = 'before-the-change'
    const first = await partner.order(seed.investorId, seed.cooperativeId, keyed)
    t.equal(first.status, 201)
    await operator.call('operator.create', { name: 'oskar', role: 'viewer' })
    const { organizationId: organization } = seed
    const url = 'http://127.0.0.1:9/'
    const registered = await operator.call('webhook.register', { organization, url })
    const { webhook_endpoint_id } = registered
    await operator.call('webhook.rotate_secret', { webhook_endpoint_id })
    const erased = { investor_id: await partner.register({ partner_customer_ref: 'erased' }) }
    await operator.call('investor.erase', erased)
    await partner.register({ partner_customer_ref: 'another' })
    const filter = (path: string) => basename(path) !== 'lock'
    await cp(directory, copy, { recursive: true, filter })
    const leaked = await readSecrets(copy)
    const leak = readLeak(await readFiles(copy), keyBefore)
    t.ok(leak.ciphers.length > 2, 'the copy contains the keys of persons')
    t.ok(leaked.terms.every((term) => leak.known.includes(term)))
    t.match(await operator.call('store.rekey', {}), { finished: true })
    t.match(await operator.call('store.check', {}), { sound: true, rekeying: false })
    const replayed = await partner.order(seed.investorId, seed.cooperativeId, keyed)
    t.equal(replayed.status, 201)
    t.equal(replayed.headers.get('idempotent-replayed'), 'true')
    t.equal((await partner.order(seed.investorId, seed.cooperativeId)).status, 201)
    const found = await operator.call('find', { text: leaked.iban })
    t.ok(found.found.some(({ investor_id: id }) => id === seed.investorId))
    t.equal((await runCommand(StoreBackup, backup, '--data-dir', directory)).exitCode, 0)
    await served.stop()

    const now = await readSecrets(directory)
    t.equal(now.iban, leaked.iban)
    t.not(now.searchKey, leaked.searchKey)
    const guess = (key: string) => createSearchTerms(key).ofText('iban', leaked.iban).flat()
    t.ok(guess(now.searchKey).every((term) => now.terms.includes(term)))
    const derived = hkdfSync(
      'sha256',
      Buffer.from(keyBefore, 'hex'),
      '',
      'coopshare search terms',
      32,
    )
    const text = await readFiles(directory)
    for (const key of [leaked.searchKey, Buffer.from(derived).toString('base64')])
      for (const term of guess(key)) t.notOk(text.includes(term), 'in no file')
    for (const [place, later] of [
      ['the files', text],
      ['a backup', await readFile(backup, 'latin1')],
    ] as const) {
      t.strictSame(findLeaked(later, leak), [], `${place} give nothing away`)
      const present = readLeak(later, await ownKey(directory))
      const values = allEncrypted(later)
      const unknown = values.filter((one) => !present.ciphers.some((each) => canOpen(each, one)))
      t.strictSame(unknown, [], `the present key opens all of ${place}`)
    }
    t.ok(
      now.personalKeys.every((key) => !key.includes(' ')),
      'the former keys are gone',
    )
  },
)

t.test('a given key can be replaced by another key', { skip }, async (t) => {
  const file = (name: string) => ['--encryption-key-file', join(t.testdirName, name)]
  t.testdir({ oldKey })
  const given = join(t.testdirName, 'oldKey')
  const filled = await fill(t, 3, '--encryption-key-file', given)
  const { directory } = filled
  const here = ['--data-dir', directory, ...file('oldKey'), '--json']
  t.match(await runCommand(StoreRekey, ...here), {
    exitCode: 5,
    json: { error: { code: 'ENCRYPTION_KEY_REFUSED', message: /--new-encryption-key-file/ } },
  })
  const to = ['--new-encryption-key-file', join(t.testdirName, 'newKey')]
  t.match((await runCommand(StoreRekey, ...here, ...to)).json, { key_in_store: false })
  t.equal((await runCommand(StoreCheck, ...here)).exitCode, 5, 'the old key is refused')
  const checked = await runCommand(StoreCheck, '--data-dir', directory, ...file('newKey'), '--json')
  t.match(checked.json, { sound: true })
  t.equal(countOpened(await encryptedIn(directory), oldKey), 0)
  const again = await runCommand(
    StoreRekey,
    '--data-dir',
    directory,
    ...file('newKey'),
    ...to,
    '--json',
  )
  t.match(
    again.json,
    { error: { code: 'ENCRYPTION_KEY_REFUSED' } },
    'the new key is already in use',
  )
})

t.test('a damaged value is not changed, and the key changes nevertheless', { skip }, async (t) => {
  const { directory, seed } = await fill(t, 3)
  const before = await ownKey(directory)
  const damaged = `v1.${'A'.repeat(60)}` as Encrypted
  const store = await openLowdbStore({ directory })
  await store.transact(async (work) => {
    const found = await work.get(investors, [seed.organizationId, seed.investorId])
    if (found) await work.put(investors, { ...found.record, encryptedKey: damaged })
  })
  // This is the state after a change of the key that a damaged value has interrupted.
  const [oldest, next] = [vaultOf(before), randomBytes(32)]
  await store.close()
  const rotation = chooseRotation(oldest, {}, undefined, {
    isActive: true,
    makeKey: () => next,
  })
  await writeManifest(directory, { ...(await readManifest(directory)), rotation })

  const here = ['--data-dir', directory]
  const damage = `investors ${seed.investorId}: its encryptedKey cannot be decrypted with the store's key.`
  const checked = (await runCommand(StoreCheck, ...here, '--json')).json
  t.ok(checked.problems.includes(damage))
  const rekeyed = (await runCommand(StoreRekey, ...here, '--json')).json
  t.match(rekeyed, { resumed: true, key_in_store: true })
  t.strictSame(rekeyed.damaged_values, [damage])
  t.equal((await readManifest(directory)).rotation, undefined)
  t.strictSame((await runCommand(StoreCheck, ...here, '--json')).json.problems, checked.problems)
  const encrypted = await encryptedIn(directory)
  t.ok(encrypted.includes(damaged), 'the value may still be useful to an expert')
  t.equal(countOpened(encrypted, before), 0, 'the previous key decrypts nothing')
  const again = await runCommand(StoreRekey, ...here)
  t.equal(again.exitCode, 0)
  t.match(again.stdout, /encryptedKey cannot be decrypted.*\n.*were damaged before: 1\./)
})

t.test('each backup that is made while the key changes can be restored', { skip }, async (t) => {
  const { directory } = await fill(t, 3)
  const store = await openLowdbStore({ directory })
  let isOver = false
  const problems: string[] = []
  const backUp = async (name: string) => {
    for (let number = 0; !isOver; number += 1) {
      const copy = { directory: join(t.testdirName, `${name}-${number}`) }
      await restoreStore(store.backup(), copy)
      problems.push(...(await checkStore(copy)).problems)
    }
  }
  const backingUp = Promise.all(['one', 'two', 'three'].map(backUp))
  for (let changes = 0; changes < 20; changes += 1) await store.rekey(createKeyRenewal(store))
  isOver = true
  await t.resolves(backingUp)
  t.strictSame(problems, [])
  await store.close()
})

t.test('a damaged record of an interrupted change of the key is named', { skip }, async (t) => {
  const { directory } = await fill(t, 0)
  const [oldest, next] = [vaultOf(await ownKey(directory)), randomBytes(32)]
  const rotation = chooseRotation(oldest, {}, undefined, {
    isActive: true,
    makeKey: () => next,
  })
  const damaged = { ...rotation, newKey: `v1.${'A'.repeat(60)}` as Encrypted }
  await writeManifest(directory, { ...(await readManifest(directory)), rotation: damaged })
  const checked = await runCommand(StoreCheck, '--data-dir', directory, '--json')
  t.match(checked.json, {
    error: { code: 'STORE_DAMAGED', message: /encryption key change/ },
  })
  t.equal(checked.exitCode, 5)
})

t.test(
  'a change of the key that was killed at any moment is finished later',
  { skip },
  async (t) => {
    const filled = await fill(t, 300)
    const { directory } = filled
    const keyBefore = await ownKey(directory)
    const hasRotation = async () => (await readManifest(directory)).rotation !== undefined
    const points: readonly (readonly [string, () => Promise<boolean>])[] = [
      ['when the change has begun', hasRotation],
      [
        'while the files are compacted',
        async () => (await readdir(directory)).some((name) => name.endsWith('.jsonl.tmp')),
      ],
      ['when the directory has the new key', async () => (await ownKey(directory)) !== keyBefore],
    ]
    for (const [point, isThere] of points) {
      const { served, operator } = await start(filled, t)
      const rekeying = operator.call('store.rekey', {}).catch(() => undefined)
      let isOver = false
      void rekeying.then(() => {
        isOver = true
      })
      while (!isOver && !(await isThere().catch(() => false)));
      await served.stop('SIGKILL')
      await rekeying
      const again = await start(filled, t)
      t.equal(await again.order(), 201, `killed ${point}: orders are placed`)
      t.match(await again.operator.call('store.check', {}), { sound: true })
      const isUnfinished = await hasRotation()
      if (isUnfinished) {
        const copied = await runCommand(
          StoreCopy,
          ...['--data-dir', directory, '--to', join(t.testdirName, 'copy'), '--json'],
        )
        t.not(copied.exitCode, 0, 'the store is not copied during the change')
      }
      // The service finishes the change by itself.
      const isRekeying = async () => (await again.operator.call('store.check', {})).rekeying
      await until(t, async () => !(await isRekeying()))
      await again.served.stop()
      t.equal(countOpened(await encryptedIn(directory), keyBefore), 0, point)
    }
  },
)

t.test('a backup that was made during a change of the key can be restored', { skip }, async (t) => {
  const filled = await fill(t, 300)
  const { directory } = filled
  const { served, operator } = await start(filled, t)
  const rekeying = operator.call('store.rekey', {})
  await until(t, async () => (await readManifest(directory)).rotation !== undefined)
  const backup = join(t.testdirName, 'during.backup')
  const written = await runCoopshare(['store', 'backup', backup, '--data-dir', directory])
  t.equal(written.code, 0)
  await rekeying
  await served.stop()
  t.match((await runCommand(StoreVerifyBackup, backup, '--json')).json, { sound: true })
})
