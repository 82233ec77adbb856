import { setImmediate as nextTurn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { clientRecord, organizationRecord } from '../../../fixtures/builders/records.ts'
import { anything } from '../../../fixtures/builders/subject.ts'
import { FaultyDisk } from '../../../fixtures/stores/disks.ts'
import { openStore, temporaryDirectory } from '../../../fixtures/stores/engines.ts'
import {
  chainLine,
  chainPieces,
  chainStart,
} from '../../../src/adapters/lowdb/checksummed-lines.ts'
import { machineTime, useTime } from '../../../src/machine/time.ts'
import type { Records } from '../../../src/ports/store.ts'

const count = 3000

/** About a megabyte, so that the line of the journal is written in pieces. */
async function putMany({ clients, organizations }: Records): Promise<void> {
  await organizations.put(organizationRecord({ name: 'New name' }))
  for (let number = 0; number < count; number += 1) {
    await clients.put(clientRecord({ clientId: `client-${number}`, name: 'x'.repeat(300) }))
  }
}

t.test('a large write lets others have their turn, and no read sees a part of it', async (t) => {
  const { store } = await openOnDisk(t)
  await store.write(anything, ({ organizations }) => organizations.put(organizationRecord()))
  let isOver = false
  const writing = store.write(anything, putMany).finally(() => {
    isOver = true
  })
  const seen = new Set<string>()
  let turns = 0
  const reading: Promise<unknown>[] = []
  while (!isOver) {
    turns += 1
    reading.push(
      store.read(async ({ clients, organizations }) => {
        const [all, one] = await Promise.all([clients.list(), organizations.get('org-1')])
        seen.add(`${all.length} ${one?.name}`)
      }),
    )
    await nextTurn()
  }
  await writing
  await Promise.all(reading)
  t.ok(turns > count / 200, `${turns} turns`)
  const { name } = organizationRecord()
  t.strictSame(
    [...seen].filter((look) => look !== `0 ${name}` && look !== `${count} New name`),
    [],
  )
  t.ok(seen.has(`${count} New name`))
})

t.test('what is remembered during a large write is whole', async (t) => {
  const { store } = await openOnDisk(t)
  let isOver = false
  const writing = store.write(anything, putMany).finally(() => {
    isOver = true
  })
  const remembering: Promise<() => Promise<void>>[] = []
  while (!isOver) {
    remembering.push(store.remember())
    await nextTurn()
  }
  await writing
  const counts = new Set<number>()
  for (const restore of await Promise.all(remembering)) {
    await restore()
    counts.add((await store.read(({ clients }) => clients.list())).length)
  }
  t.strictSame([...counts].sort(), [0, count])
})

t.test('a large write whose disk fails leaves nothing, now and after a restart', async (t) => {
  const { store, disk, directory } = await openOnDisk(t)
  await store.write(anything, ({ organizations }) => organizations.put(organizationRecord()))
  disk.failAt('append', 'EIO')
  await t.rejects(store.write(anything, putMany), { code: 'SERVICE_UNAVAILABLE' })
  const look = (from: typeof store) =>
    from.read(async ({ clients, organizations }) => [
      (await clients.list()).length,
      (await organizations.get('org-1'))?.name,
    ])
  const before = [0, organizationRecord().name]
  t.strictSame(await look(store), before)
  disk.repair()
  await store.close()
  t.strictSame(await look(await openStore(t, { directory })), before)
})

t.test('a disk that fails while the records change leaves none of them', async (t) => {
  const { store, disk } = await openOnDisk(t)
  disk.failAt('append', 'EIO')
  let turns = 0
  const duringChange = 2 * (count / 100) - 10
  useTime({
    ...machineTime,
    nextTurn: async () => {
      turns += 1
      await machineTime.nextTurn()
      while (turns > duringChange && (await store.health()).ready) await machineTime.nextTurn()
    },
  })
  t.teardown(() => useTime(machineTime))
  await t.rejects(store.write(anything, putMany), { code: 'SERVICE_UNAVAILABLE' })
  t.ok(turns > duringChange, 'the disk failed before the last records')
  t.strictSame(await store.read(({ clients }) => clients.list()), [])
})

t.test('a large write is there after a restart', async (t) => {
  const { store, directory } = await openOnDisk(t)
  await store.write(anything, putMany)
  await store.write(anything, ({ organizations }) => organizations.put(organizationRecord()))
  await store.close()
  const reopened = await openStore(t, { directory })
  t.equal((await reopened.read(({ clients }) => clients.list())).length, count)
})

t.test('a line in pieces has the same bytes as one in a single piece', async (t) => {
  const pieces = ['1,[["clients",{"name":"', 'Größe €', '"}]]']
  const { line, checksum } = await chainPieces(chainStart, pieces)
  const whole = chainLine(chainStart, pieces.join(''))
  t.equal(Buffer.concat(line).toString(), whole.line)
  t.equal(checksum, whole.checksum)
})

async function openOnDisk(t: Test) {
  const directory = temporaryDirectory(t)
  const disk = new FaultyDisk()
  return { directory, disk, store: await openStore(t, { directory, openFile: disk.openFile }) }
}
