import { cp, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import {
  clientRecord,
  idempotencyRecord,
  noon,
  sharePurchaseRecord,
} from '../../../fixtures/builders/records.ts'
import { anything } from '../../../fixtures/builders/subject.ts'
import { exactArrays } from '../../../fixtures/exact-arrays.ts'
import { FaultyDisk } from '../../../fixtures/stores/disks.ts'
import { openStore, temporaryDirectory } from '../../../fixtures/stores/engines.ts'
import type { JournaledStore } from '../../../src/adapters/lowdb/open-store.ts'
import { addSeconds } from '../../../src/domain/timestamp.ts'
import { machineTime, useTime } from '../../../src/machine/time.ts'

t.test('requests go on during a compaction, and nothing is lost', async (t) => {
  const directory = temporaryDirectory(t)
  const store = await openStore(t, { directory })
  let compactions = 0
  let isWriting = true
  const compacting = (async () => {
    while (isWriting) {
      await store.compact()
      compactions += 1
    }
  })()
  const write = async (writer: number) => {
    for (let turn = 0; turn < 40; turn += 1) {
      const minute = writer * 40 + turn
      await store.write(anything, async (records) => {
        await records.sharePurchases.put(sharePurchaseRecord(minute))
        await records.idempotencyRecords.put(idempotencyRecord(`${minute}`, turn))
      })
      const status = turn % 2 === 0 ? 'approved' : 'cancelled'
      await store.write(anything, (r) =>
        r.sharePurchases.put(sharePurchaseRecord(minute, { status })),
      )
      const at = addSeconds(noon, (turn - 5) * 60)
      await store.write(anything, (r) => r.idempotencyRecords.purgeExpired(at, 10))
    }
  }
  await Promise.all(Array.from({ length: 10 }, (_, writer) => write(writer)))
  isWriting = false
  await compacting
  t.ok(compactions > 2, `${compactions} compactions`)
  const before = await lookAtAll(store)
  await store.close()
  const reopened = await openStore(t, { directory })
  t.same(await lookAtAll(reopened), before)
  t.equal(before.purchases.length, 400)
})

t.test('a compaction ends even if writes never pause', async (t) => {
  const disk = new FaultyDisk()
  const directory = temporaryDirectory(t)
  const store = await openStore(t, { directory, openFile: disk.openFile })
  const writes: Promise<void>[] = []
  const write = () => writes.push(store.write(anything, (r) => r.clients.put(clientRecord())))
  let isCompacted = false
  disk.onSync(() => !isCompacted && writes.length < 200 && write())
  write()
  await store.compact()
  isCompacted = true
  t.ok(writes.length < 100, `${writes.length} writes`)
  await Promise.all(writes)
})

t.test('the journal is compacted automatically when it outgrows the snapshot', async (t) => {
  const directory = temporaryDirectory(t)
  const store = await openStore(t, { directory })
  const name = 'x'.repeat(1_000_000)
  for (let turn = 0; turn < 18; turn += 1) {
    await store.write(anything, (r) => r.clients.put(clientRecord({ name: `${name}${turn}` })))
  }
  t.same((await store.check()).problems, [
    'clients client-1: its organizationId org-1 is not among the organizations.',
  ])
  const { journalBytes, snapshotBytes, records } = store.stats()
  t.ok(journalBytes < 3_000_000, `${journalBytes}`)
  t.ok(snapshotBytes > 1_000_000 && snapshotBytes < 1_100_000, `${snapshotBytes}`)
  t.equal(records['clients'], 1)
  t.equal((await listFiles(directory, /^journal/)).length, 1)
})

for (const code of ['EMFILE', 'ENOSPC']) {
  for (const files of [/snapshot/, /journal-00000002/]) {
    t.test(`after ${code} for ${files.source}, the compaction is tried again`, async (t) => {
      let now = 0
      useTime({ ...machineTime, stopwatchMs: () => now })
      t.teardown(() => useTime(machineTime))
      const disk = new FaultyDisk()
      const directory = temporaryDirectory(t)
      const store = await openStore(t, { directory, openFile: disk.openFile })
      const name = 'x'.repeat(9_000_000)
      let turn = 0
      const write = async () => {
        turn += 1
        await store.write(anything, (r) => r.clients.put(clientRecord({ name: `${name}${turn}` })))
        // A backup begins after the end of a compaction.
        for await (const _ of store.backup()) break
        return store.stats()
      }
      disk.failAt('create', code, files)
      for (let times = 0; times < 2; times += 1) await write()
      t.match(store.stats(), { compactionFailure: new RegExp(code), snapshotBytes: 0 })
      t.same(await listFiles(directory, /jsonl/), ['journal-00000001.jsonl'])
      disk.repair()
      t.match(await write(), { snapshotBytes: 0 }, 'not at every write')
      now += 1000
      const { compactionFailure, snapshotBytes } = await write()
      t.ok(compactionFailure === null && snapshotBytes > 0)
      t.same(await store.health(), { ready: true })
    })
  }
}

t.test('a crash at any step of a compaction loses nothing', async (t) => {
  const disk = new FaultyDisk()
  const directory = temporaryDirectory(t)
  const store = await openStore(t, { directory, openFile: disk.openFile })
  await store.write(anything, (r) => r.clients.put(clientRecord({ clientId: 'a' })))
  await store.compact()
  await store.write(anything, (r) => r.clients.put(clientRecord({ clientId: 'b' })))
  await store.write(anything, (r) =>
    r.clients.put(clientRecord({ clientId: 'a', name: 'changed' })),
  )

  const crashed: string[] = []
  const crash = async (step: string) => {
    const copy = `${directory} ${step}`
    await cp(directory, copy, { recursive: true, filter: (path) => !/lock(\..*)?$/.test(path) })
    crashed.push(copy)
  }
  disk.failAt('sync', 'EIO', /snapshot/)
  await t.rejects(store.compact())
  await crash('rotated')
  await store.write(anything, (r) => r.clients.put(clientRecord({ clientId: 'c' })))
  await crash('rotated and written')
  await cp(
    join(directory, 'snapshot-00000002.jsonl'),
    join(crashed[1] ?? '', 'snapshot-00000003.jsonl.tmp'),
  )

  const names = await listFiles(directory, /jsonl$/)
  disk.repair()
  await store.compact()
  await crash('renamed, nothing removed')
  for (const name of names) await cp(join(crashed[1] ?? '', name), join(crashed[2] ?? '', name))

  const expected = [
    ['a', 'b'],
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
  ]
  for (const [index, copy] of crashed.entries()) {
    const reopened = await openStore(t, { directory: copy })
    const clients = await reopened.read((r) => r.clients.list())
    t.same(
      clients.map(({ clientId }) => clientId),
      expected[index],
      copy,
    )
    t.equal(clients[0]?.name, 'changed')
    t.same(await listFiles(copy, /tmp$/), [])
    t.equal((await listFiles(copy, /^snapshot/)).length, 1)
  }
})

t.test('a store can be closed while it is being compacted', async (t) => {
  const directory = temporaryDirectory(t)
  const store = await openStore(t, { directory })
  for (let minute = 0; minute < 50; minute += 1) {
    await store.write(anything, (r) => r.sharePurchases.put(sharePurchaseRecord(minute)))
  }
  const compacting = store.compact()
  const outcome = Promise.allSettled([compacting])
  await store.close()
  t.match(
    await outcome,
    exactArrays([{ status: 'rejected', reason: { message: 'The store is closed.' } }]),
  )
  t.same(await listFiles(directory, /snapshot|tmp|lock/), [])
  await writeFile(join(directory, 'other.txt'), 'not of the store')
  const reopened = await openStore(t, { directory })
  t.equal((await lookAtAll(reopened)).purchases.length, 50)
  t.same(await listFiles(directory, /other/), ['other.txt'], 'other files stay')
})

async function lookAtAll(store: JournaledStore) {
  return store.read(async (records) => ({
    purchases: await records.sharePurchases.list({}),
    byStatus: await records.sharePurchases.countByStatus(),
    approved: await records.sharePurchases.list({ status: 'approved', limit: 50 }),
    page: await records.sharePurchases.pageByInvestor('org-1', 'investor-1', { page: 3, size: 7 }),
    keys: await Promise.all(
      [1, 38, 39].map((minute) => records.idempotencyRecords.get('org-1', `${minute}`)),
    ),
  }))
}

async function listFiles(directory: string, pattern: RegExp): Promise<string[]> {
  return (await readdir(directory)).filter((name) => pattern.test(name))
}
