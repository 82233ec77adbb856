import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { readdir, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import {
  clientRecord,
  holdingRecord,
  idempotencyRecord,
  organizationRecord,
  sharePurchaseRecord,
  signingKeyRecord,
} from '../../../fixtures/builders/records.ts'
import { anything } from '../../../fixtures/builders/subject.ts'
import { exactArrays } from '../../../fixtures/exact-arrays.ts'
import { FaultyDisk, mount, mountSmallDisk } from '../../../fixtures/stores/disks.ts'
import { openStore, temporaryDirectory } from '../../../fixtures/stores/engines.ts'
import { restoreStore } from '../../../src/adapters/lowdb/backup.ts'
import { Problem } from '../../../src/domain/problem.ts'
import type { ReadableRecords, Records } from '../../../src/ports/store.ts'
import { createKeyRenewal } from '../../../src/usecases/store/renew-keys.ts'

for (const [operation, code] of [
  ['append', 'ENOSPC'],
  ['append', 'EIO'],
  ['sync', 'EIO'],
] as const) {
  t.test(`after ${code} at ${operation}, no write is acknowledged, and reads work`, async (t) => {
    const { disk, store, directory } = await openOnFaultyDisk(t)
    await store.write(anything, makeFirst)
    const before = await store.read(lookAtAll)

    disk.failAt(operation, code)
    const refused = await Promise.allSettled([
      store.write(anything, change),
      store.write(anything, (r) => r.sharePurchases.put(sharePurchaseRecord(3))),
      store.write(anything, (r) => r.clients.put(clientRecord({ clientId: 'late' }))),
    ])
    for (const outcome of refused) {
      t.match(outcome, { status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } })
    }
    t.same(await store.read(lookAtAll), before, 'reads show only durable records')
    t.match(await store.health(), { ready: false, reason: new RegExp(code) })

    disk.repair()
    await t.rejects(
      store.write(anything, change),
      { code: 'SERVICE_UNAVAILABLE' },
      'all later writes fail too',
    )
    t.notMatch(String(await store.write(anything, change).catch((error) => error)), directory)
    await store.close()
    const reopened = await openStore(t, { directory })
    t.same(await reopened.read(lookAtAll), before, 'the same after a restart')
    await reopened.write(anything, change)
    t.notSame(await reopened.read(lookAtAll), before)
  })
}

t.test('no answer depends on a write that is not yet durable [D54]', async (t) => {
  const { disk, store } = await openOnFaultyDisk(t)
  await store.write(anything, (r) => r.organizations.put(organizationRecord()))
  const readName = async (r: ReadableRecords) => (await r.organizations.get('org-1'))?.name

  let release = disk.holdSyncs()
  const renamed = store.write(anything, (r) =>
    r.organizations.put(organizationRecord({ name: 'Second' })),
  )
  await nextTurn()
  const answers: string[] = []
  const reading = store.read(readName).then((name) => answers.push(`read ${name}`))
  const nothingPut = store
    .write(anything, readName)
    .then((name) => answers.push(`write saw ${name}`))
  await store.read(async (r) => r.clients.list())
  t.same(answers, [], 'a read of other records does not wait')
  release()
  await Promise.all([renamed, reading, nothingPut])
  t.same(answers.sort(), ['read Second', 'write saw Second'])

  release = disk.holdSyncs()
  const lost = store.write(anything, (r) =>
    r.organizations.put(organizationRecord({ name: 'Third' })),
  )
  await nextTurn()
  const reread = store.read(readName)
  const seeing = store.write(anything, readName)
  disk.failAt('sync', 'EIO')
  release()
  await t.rejects(lost, { code: 'SERVICE_UNAVAILABLE' })
  await t.rejects(seeing, { code: 'SERVICE_UNAVAILABLE' }, 'the change that it saw was undone')
  t.equal(await reread, 'Second', 'a read shows only durable records')
})

t.test('no refusal depends on a write that is not yet durable [D54]', async (t) => {
  const { disk, store } = await openOnFaultyDisk(t)
  await store.write(anything, (r) => r.organizations.put(organizationRecord()))
  const refuseSecond = async (r: ReadableRecords) => {
    const organization = await r.organizations.get('org-1')
    if (organization?.name === 'Second') throw new Problem('NAME_TAKEN', 'It has that name.')
  }
  const rename = async (r: Records) => {
    await refuseSecond(r)
    await r.organizations.put(organizationRecord({ name: 'Second' }))
  }
  const release = disk.holdSyncs()
  const lost = store.write(anything, rename)
  await nextTurn()
  const [again, read] = [store.write(anything, rename), store.read(refuseSecond)]
  disk.failAt('sync', 'EIO')
  release()
  await t.rejects(lost, { code: 'SERVICE_UNAVAILABLE' })
  await t.rejects(again, { code: 'SERVICE_UNAVAILABLE' }, 'the reason for the refusal was undone')
  await t.resolves(read, 'the read is repeated')
})

t.test('a read waits only for the records that it looked at [D54]', async (t) => {
  const { disk, store } = await openOnFaultyDisk(t)
  const [first, second] = [
    clientRecord({ clientId: 'first' }),
    clientRecord({ clientId: 'second' }),
  ]
  await store.write(anything, async ({ clients }) => {
    await clients.put(first)
    await clients.put(second)
  })
  const release = disk.holdSyncs()
  const disabling = store.write(anything, (r) => r.clients.put({ ...second, disabled: true }))
  await nextTurn()
  t.same(await store.read((r) => r.clients.get('first')), first, 'another record of its kind')
  const answers: string[] = []
  const note = (title: string) => () => answers.push(title)
  const waiting = [
    store.read((r) => r.clients.get('second')).then(note('the record itself')),
    store.read((r) => r.clients.list()).then(note('all of its kind')),
  ]
  await store.read((r) => r.clients.get('first'))
  t.strictSame(answers, [])
  release()
  await Promise.all([disabling, ...waiting])
  t.equal(answers.length, 2)
  await store.close()
})

const noRoom = { code: 'SERVICE_UNAVAILABLE', message: /^There is no room left on the disk/ }

t.test('when a new journal cannot be started, the old one stays in use', async (t) => {
  for (const operation of ['create', 'append', 'sync'] as const) {
    const { disk, store, directory } = await openOnFaultyDisk(t)
    disk.failAt(operation, 'ENOSPC', /journal-00000002/)
    await t.rejects(store.compact(), noRoom)
    t.match(store.stats().compactionFailure, /ENOSPC/)
    await store.write(anything, makeFirst)
    t.same(await store.health(), { ready: true })
    await store.close()
    const reopened = await openStore(t, { directory })
    t.ok(await reopened.read((r) => r.organizations.get('org-1')))
  }
})

t.test(
  'a moment without file descriptors fails a compaction or a backup, but no write',
  { skip: process.platform !== 'linux' && 'the program counts its descriptors in /proc' },
  async (t) => {
    const directory = temporaryDirectory(t)
    const { outcomes, afterwards, openAtEnd, warnings } = await exhaustDescriptors(t, directory)
    for (const { left, compaction, written, backup, open } of outcomes) {
      t.equal(written, 'done', `a write with ${left} descriptors left`)
      const refused = /^No file descriptor is free \(EMFILE\)/
      const expected = left < 2 ? refused : /^No file descriptor is free|^done$/
      t.match(compaction, expected, `a compaction with ${left}`)
      t.match(backup, expected, `a backup with ${left}`)
      t.match(
        open,
        exactArrays([/^\.$/, /^journal-\d+\.jsonl$/]),
        `the files that ${left} left open`,
      )
    }
    t.same(afterwards, ['done', 'done', 'done'])
    t.strictSame(openAtEnd, [], 'the store closes all files')
    t.strictSame(warnings, [], 'the garbage collection found no open file')
    const reopened = await openStore(t, { directory })
    t.match(await reopened.read((r) => r.organizations.get('org-1')), { name: 'afterwards' })
  },
)

interface Exhausted {
  readonly outcomes: readonly {
    readonly left: number
    readonly compaction: string
    readonly written: string
    readonly backup: string
    /** The files of the store that stay open. */
    readonly open: readonly string[]
  }[]
  readonly afterwards: readonly string[]
  readonly openAtEnd: readonly string[]
  readonly warnings: readonly string[]
}

async function exhaustDescriptors(t: Test, directory: string): Promise<Exhausted> {
  const program = new URL('../../../fixtures/stores/exhaust-descriptors.ts', import.meta.url)
  const limited = 'ulimit -n 90 && exec "$0" "$@"'
  const node = [process.execPath, '--import', 'tsx', fileURLToPath(program), directory]
  const child = spawn('sh', ['-c', limited, ...node], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  const [answer] = await once(child, 'message')
  return answer
}

t.test('when a half-made journal cannot be removed, no write is acknowledged', async (t) => {
  const { disk, store, directory } = await openOnFaultyDisk(t)
  await store.write(anything, makeFirst)
  const before = await store.read(lookAtAll)
  let meanwhile: Promise<void> | undefined
  disk.onCreate((name) => {
    if (!name.startsWith('journal')) return
    // A directory can be neither opened for writing nor unlinked.
    mkdirSync(join(directory, name))
    meanwhile = store.write(anything, change)
    meanwhile.catch(() => undefined)
  })
  await t.rejects(store.compact())
  await t.rejects(Promise.resolve(meanwhile), { code: 'SERVICE_UNAVAILABLE' })
  await t.rejects(store.write(anything, change), { code: 'SERVICE_UNAVAILABLE' })
  t.match(await store.health(), { ready: false })
  await store.close()
  await rmdir(join(directory, 'journal-00000002.jsonl'))
  const reopened = await openStore(t, { directory })
  t.same(await reopened.read(lookAtAll), before)
})

t.test('a failed snapshot does not change the store', async (t) => {
  for (const operation of ['create', 'append', 'sync'] as const) {
    const { disk, store, directory } = await openOnFaultyDisk(t)
    await store.write(anything, makeFirst)
    disk.failAt(operation, 'ENOSPC', /snapshot/)
    await t.rejects(store.compact(), noRoom)
    await store.write(anything, change)
    const before = await store.read(lookAtAll)
    await store.close()
    const reopened = await openStore(t, { directory })
    t.same(await reopened.read(lookAtAll), before, 'read from two journals')
    await reopened.compact()
    t.equal(reopened.stats().compactionFailure, null)
    t.same(await reopened.read(lookAtAll), before)
  }
})

t.test('a snapshot never holds a write that did not become durable', async (t) => {
  const { disk, store, directory } = await openOnFaultyDisk(t)
  await store.write(anything, makeFirst)
  const before = await store.read(lookAtAll)
  let lost: Promise<void> | undefined
  disk.onCreate((name) => {
    if (!name.startsWith('snapshot')) return
    disk.failAt('sync', 'EIO', /journal/)
    lost = store.write(anything, change)
    lost.catch(() => undefined)
  })
  await t.rejects(store.compact(), {
    code: 'SERVICE_UNAVAILABLE',
    message: /failed during the compaction \(EIO\).*check the disk, then restart the service/,
  })
  await t.rejects(Promise.resolve(lost), { code: 'SERVICE_UNAVAILABLE' })
  await store.close()
  const reopened = await openStore(t, { directory })
  t.equal(reopened.stats().snapshotBytes, 0)
  t.same(await reopened.read(lookAtAll), before)
})

t.test(
  'a change of the key that the disk interrupts is reported, and continues later',
  async (t) => {
    const directory = temporaryDirectory(t)
    const store = await openStore(t, { directory })
    await store.write(anything, makeFirst)
    await store.write(anything, ({ settings }) =>
      settings.put({
        environment: 'staging',
        createdAt: organizationRecord().createdAt,
        encryptedSearchKey: store.vault.createKey(),
        keyChange: 'first',
      }),
    )
    const renewal = createKeyRenewal(store)
    const inTheWay = join(directory, 'store.json.tmp')
    mkdirSync(inTheWay)
    await t.rejects(store.rekey(renewal), {
      code: 'SERVICE_UNAVAILABLE',
      message: /failed while the key was being changed \(ERR_FS_EISDIR\).*run the command again/,
    })
    await rmdir(inTheWay)
    t.match(await store.rekey(renewal), { isOwn: true })
  },
)

t.test('a full disk fails only writes', async (t) => {
  const directory = temporaryDirectory(t)
  const refusal = await mountSmallDisk(t, directory)
  if (refusal) return t.plan(0, refusal)
  const store = await openStore(t, { directory })
  const name = 'x'.repeat(20_000)
  let acknowledged = 0
  const place = (index: number) =>
    store
      .write(anything, (r) => r.clients.put(clientRecord({ clientId: `${index}`, name })))
      .then(() => acknowledged++)
  const outcomes = await Promise.allSettled(Array.from({ length: 200 }, (_, index) => place(index)))
  t.ok(acknowledged < 200 && outcomes.some(({ status }) => status === 'rejected'))
  t.match(await store.health(), { ready: false, reason: /ENOSPC/ })
  t.equal((await store.read((r) => r.clients.list())).length, acknowledged)
  await store.close()

  await mount(directory, 'remount', 'size=16m')
  const reopened = await openStore(t, { directory })
  t.equal((await reopened.read((r) => r.clients.list())).length, acknowledged)
})

t.test('a failed restore to a full disk leaves no files', async (t) => {
  const directory = temporaryDirectory(t)
  const refusal = await mountSmallDisk(t, directory)
  if (refusal) return t.plan(0, refusal)
  const store = await openStore(t, { directory: temporaryDirectory(t) })
  await store.write(anything, (r) => r.clients.put(clientRecord({ name: 'x'.repeat(2_000_000) })))
  const backup = `${store.directory}.backup`
  await writeFile(backup, store.backup())
  await t.rejects(restoreStore(backup, { directory }), { code: 'ENOSPC' })
  t.same(await readdir(directory), [])
})

async function openOnFaultyDisk(t: Test) {
  const disk = new FaultyDisk()
  const directory = temporaryDirectory(t)
  const store = await openStore(t, { directory, openFile: disk.openFile })
  return { disk, directory, store }
}

async function makeFirst(records: Records): Promise<void> {
  await records.organizations.put(organizationRecord())
  await records.clients.put(clientRecord())
  await records.sharePurchases.put(sharePurchaseRecord(1))
  await records.sharePurchases.put(sharePurchaseRecord(2))
  await records.holdings.put(holdingRecord())
  await records.signingKeys.put(signingKeyRecord('first'))
  await records.idempotencyRecords.put(idempotencyRecord('used', 1))
}

/**
 * Makes a change of each kind: a new record, a changed record, a record that moves between groups,
 * and a removed record.
 */
async function change(records: Records): Promise<void> {
  await records.organizations.put(organizationRecord({ name: 'Renamed' }))
  await records.clients.put(clientRecord({ clientId: 'new' }))
  await records.sharePurchases.put(sharePurchaseRecord(1, { status: 'approved' }))
  await records.holdings.put(holdingRecord({ pendingShares: 0 }))
  await records.signingKeys.remove('first')
  await records.signingKeys.put(signingKeyRecord('second'))
  await records.idempotencyRecords.put(idempotencyRecord('used', 5))
}

async function lookAtAll(records: ReadableRecords): Promise<unknown[]> {
  const page = { page: 1, size: 10 }
  return [
    await records.organizations.findByName('demo bank'),
    await records.organizations.findByName('renamed'),
    await records.clients.list(),
    await records.sharePurchases.pageByInvestor('org-1', 'investor-1', page),
    await records.sharePurchases.list({ status: 'approved' }),
    await records.sharePurchases.countByStatus(),
    await records.holdings.pageByInvestor('org-1', 'investor-1', page),
    await records.signingKeys.list(),
    await records.idempotencyRecords.get('org-1', 'used'),
  ]
}
