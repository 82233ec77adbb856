import { createHash } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import {
  clientRecord,
  cooperativeRecord,
  holdingRecord,
  idempotencyRecord,
  investorRecord,
  organizationRecord,
  sharePurchaseRecord,
} from '../../../fixtures/builders/records.ts'
import { anything } from '../../../fixtures/builders/subject.ts'
import { exactArrays } from '../../../fixtures/exact-arrays.ts'
import { openStore, temporaryDirectory } from '../../../fixtures/stores/engines.ts'
import { restoreStore as restore } from '../../../src/adapters/lowdb/backup.ts'
import { checkStore } from '../../../src/adapters/lowdb/check-store.ts'
import { type JournaledStore, openLowdbStore } from '../../../src/adapters/lowdb/open-store.ts'
import type { Encrypted } from '../../../src/domain/text.ts'
import type { Records } from '../../../src/ports/store.ts'

t.test(
  'a backup of a running service contains every change that was acknowledged before',
  async (t) => {
    const { store, directory } = await filledStore(t)
    await store.compact()
    for (let minute = 10; minute < 20; minute += 1) {
      await store.write(anything, (r) => r.sharePurchases.put(sharePurchaseRecord(minute)))
    }
    const chunks: Uint8Array[] = []
    for await (const chunk of store.backup()) {
      if (chunks.length === 0) {
        await store.write(anything, (r) => r.clients.put(clientRecord({ clientId: 'later' })))
        await store.compact()
      }
      chunks.push(chunk)
    }
    const file = `${directory}.backup`
    await writeFile(file, Buffer.concat(chunks))
    const target = temporaryDirectory(t)
    t.match(await restoreStore(file, target), { sharePurchases: 11, clients: 1 })
    const restored = await openStore(t, { directory: target })
    const list = (opened: JournaledStore) => opened.read((r) => r.sharePurchases.list({}))
    t.same(await list(restored), await list(store))
    t.equal(restored.vault.decrypt(store.vault.encrypt('text')), 'text', 'it contains the key')
    for (const name of await readdir(target)) {
      t.equal((await stat(join(target, name))).mode & 0o777, 0o600, name)
    }
  },
)

t.test('a backup does not contain a key from a file or a variable', async (t) => {
  const directory = temporaryDirectory(t)
  const encryptionKey = 'c0ffee00'.repeat(8)
  const store = await openStore(t, { directory, encryptionKey })
  await store.write(anything, (records) => fill(records, store.vault.encrypt('{}')))
  const file = await backUp(store)
  const bytes = await readFile(file)
  t.notOk(bytes.includes('encryption.key') || bytes.includes(encryptionKey))
  const target = temporaryDirectory(t)
  await restoreStore(file, target)
  await t.rejects(openLowdbStore({ directory: target }), { code: 'ENCRYPTION_KEY_REFUSED' })
  await openStore(t, { directory: target, encryptionKey })
})

t.test('an empty directory becomes private when a store is restored into it', async (t) => {
  const { store } = await filledStore(t)
  const file = await backUp(store)
  const target = temporaryDirectory(t)
  await mkdir(target)
  await chmod(target, 0o755)
  await restoreStore(file, target)
  t.equal((await stat(target)).mode & 0o777, 0o700)
})

t.test('a damaged backup is refused, and nothing is written', async (t) => {
  const { store } = await filledStore(t)
  await store.compact()
  await store.write(anything, (r) => r.clients.put(clientRecord({ clientId: 'in the journal' })))
  const file = await backUp(store)
  const whole = await readFile(file)
  const refuses = async (title: string, bytes: Buffer) => {
    await writeFile(file, bytes)
    const target = temporaryDirectory(t)
    const expected = {
      code: 'STORE_DAMAGED',
      message: /The backup .* (is damaged: |is empty|does not begin like a backup).*Nothing was/,
    }
    await t.rejects(restoreStore(file, target), expected, title)
    await t.rejects(stat(target), { code: 'ENOENT' })
  }
  const step = Math.ceil(whole.length / 40)
  for (let at = 0; at < whole.length; at += step) {
    await refuses(`an altered byte at ${at}`, Buffer.from(whole.with(at, (whole[at] ?? 0) ^ 1)))
    await refuses(`cut at ${at}`, whole.subarray(0, at))
  }
  await refuses('a last byte is missing', whole.subarray(0, -1))
  await refuses('bytes after the end', Buffer.concat([whole, Buffer.from('\n')]))
  const rows: [title: string, body: string][] = [
    ['another form', '{"format":"tar","version":1,"files":[]}\n'],
    ['an older form', '{"format":"coopshare-backup","version":0,"files":[]}\n'],
    ['no store in it', '{"format":"coopshare-backup","version":1,"files":[]}\n'],
    ['no header', 'PK'],
    [
      'a name that leads elsewhere',
      `${JSON.stringify({
        format: 'coopshare-backup',
        version: 1,
        files: [
          { name: 'store.json', bytes: 1 },
          { name: '../escaped', bytes: 1 },
        ],
      })}\nxx`,
    ],
  ]
  for (const [title, body] of rows) await refuses(title, framed(body))
  const damaged = Buffer.from(whole.subarray(0, whole.lastIndexOf('\n', whole.length - 2) + 1))
  damaged.write('L', damaged.indexOf('Solar'))
  await refuses('a store that was damaged when it was backed up', framed(damaged))
})

t.test('a store can be restored only into an empty directory', async (t) => {
  const { store, directory } = await filledStore(t)
  const file = await backUp(store)
  await t.rejects(restoreStore(file, directory), { code: 'STORE_NOT_EMPTY' })
  const empty = temporaryDirectory(t)
  await mkdir(empty)
  t.match(await restoreStore(file, empty), { sharePurchases: 1 })
  await t.rejects(restoreStore(file, empty), { code: 'STORE_NOT_EMPTY' })
  await t.rejects(restoreStore(`${file}.none`, temporaryDirectory(t)), { code: 'ENOENT' })
  const name = 'x'.repeat(300)
  await t.rejects(restoreStore(name, temporaryDirectory(t)), { code: 'ENAMETOOLONG' })
})

t.test('a check reads the whole store and changes nothing', async (t) => {
  const { store, directory } = await filledStore(t)
  t.match(
    await store.check(),
    exactArrays({ records: { sharePurchases: 1, settings: 0 }, problems: [] }),
  )
  await store.close()
  const names = await readdir(directory)
  t.match(
    await checkStore({ directory }),
    exactArrays({ tornBytes: 0, records: { holdings: 1 }, problems: [] }),
  )
  t.same(await readdir(directory), names)

  const journal = join(directory, 'journal-00000001.jsonl')
  const whole = await readFile(journal)
  await writeFile(journal, Buffer.concat([whole, Buffer.from('["torn')]))
  t.match(await checkStore({ directory }), exactArrays({ tornBytes: 6, problems: [] }))
  t.equal((await stat(journal)).size, whole.length + 6, 'a torn line stays until the next start')
  await writeFile(journal, whole.toString().replace('Solar', 'Lunar'))
  t.match(
    await checkStore({ directory }),
    exactArrays({
      records: {},
      problems: [/journal-00000001.jsonl, line 2/],
    }),
  )
  await t.rejects(checkStore({ directory: temporaryDirectory(t) }), { code: 'STORE_NOT_FOUND' })
})

t.test('a check reports records that contradict each other', async (t) => {
  const rows: [title: string, work: (records: Records) => Promise<unknown>, problem: RegExp][] = [
    [
      'an order without an investor',
      (r) =>
        r.sharePurchases.put(sharePurchaseRecord(1, { investorId: 'gone', status: 'rejected' })),
      /sharePurchases purchase-1: its investorId gone is not among the investors/,
    ],
    [
      "an order under another organization than its investor's",
      async (r) => {
        await r.organizations.put(organizationRecord({ organizationId: 'org-2', name: 'Other' }))
        await r.investors.put(
          investorRecord({
            organizationId: 'org-2',
            investorId: 'theirs',
            partnerCustomerRef: 'x',
          }),
        )
        const fields = { investorId: 'theirs', status: 'rejected' } as const
        await r.sharePurchases.put(sharePurchaseRecord(2, fields))
      },
      /sharePurchases purchase-2: its investorId theirs belongs to another organization/,
    ],
    [
      'a holding that is not the sum of its orders',
      (r) => r.holdings.put(holdingRecord({ shares: 3 })),
      /holdings holding-1: 3 shares and 2 pending, but its orders add up to 0 shares and 2 pending/,
    ],
    [
      'a holding that is missing',
      (r) =>
        r.sharePurchases.put(
          sharePurchaseRecord(3, {
            investorId: 'investor-1',
            cooperativeId: 'coop-2',
            status: 'settled',
          }),
        ),
      /holdings .*: 2 shares and 0 pending of investor-1\/coop-2 are missing/,
    ],
    [
      'a key of an order that does not exist',
      (r) => r.idempotencyRecords.put({ ...idempotencyRecord('k'), sharePurchaseId: 'gone' }),
      /its sharePurchaseId gone is not among the sharePurchases/,
    ],
  ]
  for (const [title, work, problem] of rows) {
    const { store } = await filledStore(t)
    await store.write(anything, work)
    const { problems } = await store.check()
    t.ok(
      problems.some((text) => problem.test(text)),
      `${title}: ${problems.join()}`,
    )
  }
})

async function restoreStore(backup: string, directory: string) {
  return (await restore(backup, { directory })).records
}

async function filledStore(t: Test) {
  const directory = temporaryDirectory(t)
  const store = await openStore(t, { directory })
  await store.write(anything, (records) => fill(records, store.vault.encrypt('{}')))
  return { store, directory }
}

async function fill(records: Records, encrypted: Encrypted): Promise<void> {
  await records.organizations.put(organizationRecord())
  await records.clients.put(clientRecord())
  await records.cooperatives.put(cooperativeRecord())
  await records.investors.put(
    investorRecord({ encryptedPersonalData: encrypted, encryptedKey: encrypted }),
  )
  const order = sharePurchaseRecord(1)
  const sepaMandate = { ...order.sepaMandate, encryptedDebtorIban: encrypted }
  await records.sharePurchases.put({ ...order, sepaMandate })
  await records.holdings.put(holdingRecord())
  await records.idempotencyRecords.put({
    ...idempotencyRecord('used'),
    encryptedRequestDigest: encrypted,
  })
}

async function backUp(store: JournaledStore): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of store.backup()) chunks.push(chunk)
  const file = `${store.directory}.backup`
  await writeFile(file, Buffer.concat(chunks))
  return file
}

/** Adds a correct checksum, which needs no secret. */
function framed(body: string | Buffer): Buffer {
  const bytes = Buffer.from(body)
  const digest = createHash('sha256').update(bytes).digest('hex')
  return Buffer.concat([bytes, Buffer.from(`{"sha256":"${digest}"}\n`)])
}
