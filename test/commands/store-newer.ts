import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import OrganizationList from '../../commands/organization/list.ts'
import StoreBackup from '../../commands/store/backup.ts'
import StoreCheck from '../../commands/store/check.ts'
import StoreCompact from '../../commands/store/compact.ts'
import StoreRekey from '../../commands/store/rekey.ts'
import StoreRestore from '../../commands/store/restore.ts'
import { investorRecord, organizationRecord } from '../../fixtures/builders/records.ts'
import { instant } from '../../fixtures/builders/share-purchases.ts'
import { anything } from '../../fixtures/builders/subject.ts'
import { createDatabase, stopServer } from '../../fixtures/postgres/databases.ts'
import { type CommandResult, fillStore, runCommand } from '../../fixtures/program/run-command.ts'
import { seedOrders } from '../../fixtures/world/seed-orders.ts'
import { chainLine, chainStart } from '../../src/adapters/lowdb/checksummed-lines.ts'
import type { Encrypted } from '../../src/domain/text.ts'

t.teardown(stopServer)

const journal = 'journal-00000001.jsonl'
const snapshot = 'snapshot-00000002.jsonl'

function isNewer(t: Test, { exitCode, stdout }: CommandResult, title: string): void {
  t.equal(exitCode, 5, title)
  const { error } = JSON.parse(stdout)
  t.equal(error?.code, 'STORE_NEWER', stdout)
  t.match(error?.message, /made by a newer coopshare\. Use that version/, title)
  t.notMatch(error?.message, /damage/i, title)
}

async function makeDirectory(t: Test, seed = seedOrders(1)) {
  const directory = join(t.testdir(), 'data')
  await fillStore(directory, seed)
  const here = ['--json', '--data-dir', directory]
  const change = async (name: string, of: (text: string) => string) => {
    const path = join(directory, name)
    await writeFile(path, of(await readFile(path, 'utf8')))
  }
  return { directory, here, change }
}

const raise = (text: string) => text.replace(/"version":\d+/, '"version":4')
/** Adds a valid checksum, because a newer format may have one. */
const renewChecksums = (text: string) => {
  const body = raise(text.split('\n', 1)[0] ?? '').slice('["0123456789abcdef",'.length, -1)
  return chainLine(chainStart, body).line
}

const files: [title: string, name: string, change: (text: string) => string][] = [
  ['a manifest', 'store.json', raise],
  ['a journal', journal, renewChecksums],
  ['a journal with another kind of checksum', journal, raise],
  ['a snapshot', snapshot, renewChecksums],
  ['a snapshot with another kind of checksum', snapshot, raise],
]
for (const [title, name, of] of files) {
  t.test(`${title} in a newer format is reported as newer [D51]`, async (t) => {
    const { directory, here, change } = await makeDirectory(t)
    if (name === snapshot) await runCommand(StoreCompact, ...here)
    const altered = title.includes('another kind')
      ? (text: string) => of(text).replace('["', '["_')
      : of
    await change(name, altered)
    const before = await readdir(directory)
    for (const command of [OrganizationList, StoreCheck]) {
      isNewer(t, await runCommand(command, ...here), command.name)
    }
    t.strictSame(await readdir(directory), before)
  })
}

t.test('a damaged format number is not reported as newer [D51]', async (t) => {
  const { here, change } = await makeDirectory(t)
  await change(journal, raise)
  const refused = await runCommand(OrganizationList, ...here)
  t.equal(refused.json.error.code, 'STORE_DAMAGED')
})

t.test('a backup in a newer format is reported as newer [D51]', async (t) => {
  const { directory, here } = await makeDirectory(t)
  const file = `${directory}.backup`
  await runCommand(StoreBackup, file, ...here)
  const whole = await readFile(file, 'latin1')
  const body = whole.slice(0, whole.lastIndexOf('{"sha256"'))
  const withChecksum = (text: string) =>
    `${text}{"sha256":"${createHash('sha256').update(text, 'latin1').digest('hex')}"}\n`
  const manifestAt = body.indexOf('{"format":"coopshare-store"')
  const rows: [title: string, text: string][] = [
    ['the file itself', withChecksum(raise(body))],
    ['the file itself, with a different end', `${raise(body)}{"blake3":""}\n`],
    ['the store in it', withChecksum(body.slice(0, manifestAt) + raise(body.slice(manifestAt)))],
  ]
  for (const [title, text] of rows) {
    await writeFile(file, text, 'latin1')
    const restoring = runCommand(StoreRestore, file, '--json', '--data-dir', `${directory}-new`)
    isNewer(t, await restoring, title)
    await t.rejects(readdir(`${directory}-new`), { code: 'ENOENT' }, title)
  }
})

/** No key uses this format. The keys of stores and of persons use the two known formats. */
const laterForm = 'v3.'

t.test('a value encrypted in a newer format is reported as newer', async (t) => {
  const keyed = await makeDirectory(t)
  await keyed.change('store.json', (text) =>
    text.replace('"keyCheck":"v1.', `"keyCheck":"${laterForm}`),
  )
  isNewer(t, await runCommand(OrganizationList, ...keyed.here), 'the check of the key')
  isNewer(t, await runCommand(StoreCheck, ...keyed.here), 'the check of the key, in a check')
})

t.test('a value under the key of a person is not mistaken for a newer format', async (t) => {
  const { here, change } = await makeDirectory(t)
  await change('store.json', (text) => text.replace('"keyCheck":"v1.', '"keyCheck":"v2.'))
  for (const command of [OrganizationList, StoreCheck]) {
    const { json } = await runCommand(command, ...here)
    t.equal(json.error.code, 'ENCRYPTION_KEY_REFUSED', command.name)
  }
})

const later = `${laterForm}later` as Encrypted
const newerInvestors: [title: string, fields: Parameters<typeof investorRecord>[0]][] = [
  ['the data of a person', { encryptedPersonalData: later }],
  ['the key of a person', { encryptedKey: later }],
  [
    'the remaining record of an erased person',
    { encryptedPersonalData: later, erasedAt: instant('2026-01-05T10:00:00Z') },
  ],
]
for (const [title, fields] of newerInvestors) {
  t.test(`${title} encrypted in a newer format is reported as newer`, async (t) => {
    const { directory, here } = await makeDirectory(t)
    await fillStore(directory, ({ store }) =>
      store.write(anything, async (records) => {
        await records.organizations.put(organizationRecord({ name: 'Other Bank' }))
        await records.investors.put(investorRecord(fields))
      }),
    )
    isNewer(t, await runCommand(StoreCheck, ...here), 'a check')
    const before = await readFile(join(directory, 'store.json'), 'utf8')
    isNewer(t, await runCommand(StoreRekey, ...here), 'a change of the key')
    t.equal(
      await readFile(join(directory, 'store.json'), 'utf8'),
      before,
      'the change did not begin',
    )
  })
}

t.test('a search key encrypted in a newer format is reported as newer', async (t) => {
  const { directory, here } = await makeDirectory(t)
  await fillStore(directory, ({ store }) =>
    store.write(anything, async ({ settings }) => {
      const stored = await settings.get()
      if (stored) await settings.put({ ...stored, encryptedSearchKey: later })
    }),
  )
  for (const command of [OrganizationList, StoreCheck]) {
    isNewer(t, await runCommand(command, ...here), command.name)
  }
})

t.test('a database in a newer format is reported as newer [D51]', async (t) => {
  const { options, drop } = await createDatabase()
  t.teardown(drop)
  const key = join(t.testdir({ key: 'c0ffee00'.repeat(8) }), 'key')
  const others = ['--database-url', options.url, '--encryption-key-file', key]
  const dataDirectory = t.testdirName
  await fillStore(dataDirectory, seedOrders(1), ...others)
  const here = ['--json', '--data-dir', dataDirectory, ...others]
  const sql = postgres(options.url, { max: 1 })
  t.teardown(() => sql.end())
  await sql`update investors set encrypted_personal_data = ${later}`
  isNewer(t, await runCommand(StoreCheck, ...here), 'a record')
  const newKey = join(t.testdirName, 'new-key')
  await writeFile(newKey, 'decade00'.repeat(8))
  const to = ['--new-encryption-key-file', newKey]
  isNewer(t, await runCommand(StoreRekey, ...here, ...to), 'a record, in a change of the key')
  const [row] = await sql`select rotation from store`
  t.equal(row?.['rotation'], null, 'the change did not begin')
  await sql`update store set key_check = ${laterForm} || substr(key_check, 4)`
  for (const command of [OrganizationList, StoreCheck]) {
    isNewer(t, await runCommand(command, ...here), `the check of the key: ${command.name}`)
  }
  await sql`insert into migrations (name, sha256) values ('0099-later', '')`
  for (const command of [OrganizationList, StoreCheck]) {
    isNewer(t, await runCommand(command, ...here), command.name)
  }
})
