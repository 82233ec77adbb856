import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import {
  clientRecord,
  investorRecord,
  sharePurchaseRecord,
} from '../../../fixtures/builders/records.ts'
import { anything } from '../../../fixtures/builders/subject.ts'
import { openStore, temporaryDirectory } from '../../../fixtures/stores/engines.ts'
import { openLowdbStore } from '../../../src/adapters/lowdb/open-store.ts'
import { pageRequest } from '../../../src/domain/page.ts'
import { ownIdentity } from '../../../src/machine/processes.ts'
import type { Store } from '../../../src/ports/store.ts'

const key = 'c0ffee00'.repeat(8)
const sameKey = Buffer.from(key, 'hex').toString('base64')
const otherKey = 'deadbeef'.repeat(8)

t.test('one process owns the directory, and a second one gets an error', async (t) => {
  const directory = temporaryDirectory(t)
  await openStore(t, { directory })
  await t.rejects(openLowdbStore({ directory }), {
    code: 'STORE_LOCKED',
    message: `The store is locked: ${directory} is in use by process ${process.pid}. Stop that process, or wait until it has ended.`,
  })
})

t.test(
  'the lock of a killed process is taken over, and the lock of a running process is not',
  async (t) => {
    const directory = temporaryDirectory(t)
    const holder = await hold(t, directory)
    t.equal(holder.answer, 'held')
    await t.rejects(openLowdbStore({ directory }), {
      code: 'STORE_LOCKED',
      message: new RegExp(`process ${holder.child.pid}\\.`),
    })
    holder.child.kill('SIGKILL')
    await once(holder.child, 'exit')
    t.ok((await readdir(directory)).includes('lock'), 'it left its lock behind')
    const store = await openStore(t, { directory })
    await store.close()
    t.notOk((await readdir(directory)).includes('lock'))
  },
)

t.test('when several processes find a stale lock, one of them gets the lock', async (t) => {
  const directory = temporaryDirectory(t)
  await leaveLock(directory, { startedAt: '1' })
  const held = await Promise.all(Array.from({ length: 4 }, () => hold(t, directory)))
  const answers = held.map(({ answer }) => answer).sort()
  t.same(answers, ['STORE_LOCKED', 'STORE_LOCKED', 'STORE_LOCKED', 'held'])
  t.same(
    (await readdir(directory)).filter((name) => /^lock(?!.*\.socket$)/.test(name)),
    ['lock'],
  )
})

t.test('a lock is stale when its owner has ended', async (t) => {
  const stale: [title: string, lock: string | object][] = [
    ['a later process has the same id, as in a container', { startedAt: '1' }],
    ['the machine has restarted', { bootId: 'another' }],
    ['there is no such process', { pid: 2 ** 22 + 1 }],
    ['an earlier process with this id, whose start time is unknown', { startedAt: null }],
    ['a power loss emptied it', ''],
    ['a text that is not a lock', '{"pid":"1"}'],
  ]
  for (const [title, lock] of stale) {
    const directory = temporaryDirectory(t)
    await leaveLock(directory, lock)
    const store = await openLowdbStore({ directory })
    t.pass(title)
    await store.close()
  }
  const living: [title: string, lock: object, message: RegExp][] = [
    ['this process', {}, /Stop that process/],
    [
      'another host',
      { host: 'elsewhere', bootId: 'another' },
      /on elsewhere\. If that process is gone, remove .*lock/,
    ],
    [
      'another container that may still run',
      { pidNamespace: 'another' },
      /of another container \(.*\)\. If that process is gone, remove .*lock/,
    ],
    [
      'another container whose socket cannot be found, so nobody knows if it runs',
      { pidNamespace: 'another', socketName: '../../etc/passwd' },
      /of another container/,
    ],
  ]
  for (const [title, lock, message] of living) {
    const directory = temporaryDirectory(t)
    await leaveLock(directory, lock)
    await t.rejects(openLowdbStore({ directory }), { code: 'STORE_LOCKED', message }, title)
  }
})

t.test('all files are private, and encrypted values cannot be read from them', async (t) => {
  const directory = temporaryDirectory(t)
  const store = await openStore(t, { directory })
  const secret = 'DE89370400440532013000'
  const encryptedPersonalData = store.vault.encrypt(JSON.stringify({ iban: secret }))
  await store.write(anything, (r) => r.investors.put(investorRecord({ encryptedPersonalData })))
  await store.compact()
  await store.write(anything, (r) => r.investors.put(investorRecord({ encryptedPersonalData })))
  t.equal((await stat(directory)).mode & 0o777, 0o700)
  // In a container there is also a socket, which has no content.
  const names = (await readdir(directory)).filter((name) => !name.endsWith('.socket'))
  t.same(names.length, 6, names.join())
  for (const name of names) {
    const path = join(directory, name)
    t.equal((await stat(path)).mode & 0o777, 0o600, name)
    const bytes = await readFile(path)
    for (const form of ['utf8', 'base64', 'hex'] as const) {
      t.notOk(bytes.includes(Buffer.from(secret).toString(form)), `${name}, as ${form}`)
    }
  }
  const [stored] = await store.read((r) => r.investors.listByOrganization('org-1'))
  t.match(stored && store.vault.decrypt(stored.encryptedPersonalData), secret)
})

t.test(
  'an existing directory must be private, and keeps its mode if it is not empty [D43]',
  async (t) => {
    const empty = temporaryDirectory(t)
    await mkdir(empty, { mode: 0o755 })
    await openStore(t, { directory: empty })
    t.equal((await stat(empty)).mode & 0o777, 0o700, 'an empty directory becomes private')
    const used = temporaryDirectory(t)
    await mkdir(used, { mode: 0o755 })
    await writeFile(join(used, 'mine.txt'), '')
    await openStore(t, { directory: used })
    t.equal((await stat(used)).mode & 0o777, 0o755, 'a directory with other files keeps its mode')
  },
)

t.test('the encryption key is given by the operator or created by the store', async (t) => {
  const given = temporaryDirectory(t)
  await (await openLowdbStore({ directory: given, encryptionKey: `${key}\n` })).close()
  t.notOk((await readdir(given)).includes('encryption.key'), 'a given key is not stored')
  await (await openLowdbStore({ directory: given, encryptionKey: sameKey })).close()
  const before = await readdir(given)
  const refused: [title: string, encryptionKey: string | undefined, message: RegExp][] = [
    ['another key', otherKey, /not the key of the store/],
    ['no key', undefined, /encryption.key is missing, and no other key was given/],
    ['too short', 'c0ffee', /must be 32 bytes/],
    ['text', 'correct horse battery staple', /must be 32 bytes/],
  ]
  for (const [title, encryptionKey, message] of refused) {
    const opening = openLowdbStore({ directory: given, encryptionKey })
    await t.rejects(opening, { code: 'ENCRYPTION_KEY_REFUSED', message }, title)
    t.notMatch(String(await opening.catch(String)), encryptionKey ?? otherKey, 'the error hides it')
  }
  t.same(await readdir(given), before, 'nothing was written')

  const own = temporaryDirectory(t)
  await (await openLowdbStore({ directory: own })).close()
  await t.rejects(openLowdbStore({ directory: own, encryptionKey: otherKey }))
  const kept = await readFile(join(own, 'encryption.key'), 'utf8')
  t.match(kept, /^[0-9a-f]{64}\n$/)
  const store = await openStore(t, { directory: own, encryptionKey: kept })
  await store.write(anything, (r) => r.clients.put(clientRecord()))
})

t.test(
  'lists have the same order after a restart, and later orders find their place',
  async (t) => {
    // The orders are not placed in the sequence of their instants, and most share an instant with another.
    const minutes = Array.from({ length: 1500 }, (_, number) => ((number * 7919) % 1500) + 1000)
    const restarted = await openStore(t, { directory: temporaryDirectory(t) })
    await place(restarted, minutes.slice(0, 1400))
    await restarted.close()
    const { directory } = restarted
    const reopened = await openStore(t, { directory })
    await place(reopened, minutes.slice(1400))
    const whole = await openStore(t, { directory: temporaryDirectory(t) })
    await place(whole, minutes)
    const lists = await listOrders(whole)
    t.same(await listOrders(reopened), lists)
    t.same(
      lists.map(({ length }) => length),
      [1500, 1500, 1000, 100],
    )
  },
)

function place(store: Store, minutes: readonly number[]): Promise<void> {
  return store.write(anything, async ({ sharePurchases }) => {
    for (const minute of minutes) {
      const { createdAt } = sharePurchaseRecord(minute % 1000)
      await sharePurchases.put(sharePurchaseRecord(minute, { createdAt }))
    }
  })
}

/** By time, by id, by the end of the id, and by creation. */
function listOrders(store: Store): Promise<readonly (readonly string[])[]> {
  return store.read(async ({ sharePurchases }) => {
    const lists = await Promise.all([
      sharePurchases.list({ isNewestFirst: true }),
      sharePurchases.listByIdPrefix('purchase-', 2000),
      sharePurchases.listByIdEnd('ase-1', 2000),
      sharePurchases
        .pageByInvestor('org-1', 'investor-1', pageRequest(1, 100))
        .then((page) => page.items),
    ])
    return lists.map((list) => list.map(({ sharePurchaseId }) => sharePurchaseId))
  })
}

async function leaveLock(directory: string, lock: string | object): Promise<void> {
  await mkdir(directory, { mode: 0o700 })
  const holder = { ...ownIdentity(), host: hostname(), token: 'left', ...Object(lock) }
  const text = typeof lock === 'string' ? lock : JSON.stringify(holder)
  await writeFile(join(directory, 'lock'), text)
}

async function hold(t: Test, directory: string): Promise<{ child: ChildProcess; answer: unknown }> {
  const program = new URL('../../../fixtures/stores/hold-store.ts', import.meta.url)
  const child = fork(program, [directory], { execArgv: ['--import', 'tsx'] })
  t.teardown(() => child.kill('SIGKILL'))
  const [answer] = await once(child, 'message')
  return { child, answer }
}
