import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { checkedOperatorFetch } from '../../fixtures/contract/check-operator-answer.ts'
import { fillStore } from '../../fixtures/program/run-command.ts'
import { runCoopshare, serve } from '../../fixtures/program/serve.ts'
import { mountSmallDisk } from '../../fixtures/stores/disks.ts'
import { temporaryDirectory } from '../../fixtures/stores/engines.ts'
import { seedOrders } from '../../fixtures/world/seed-orders.ts'

/** Puts a store on a full disk. Returns undefined if no disk can be created. */
async function fillDisk(t: Test): Promise<string | undefined> {
  const disk = temporaryDirectory(t)
  const refusal = await mountSmallDisk(t, disk)
  if (refusal) return t.plan(0, refusal) as undefined
  await fillStore(join(disk, 'data'), seedOrders(1))
  return disk
}

/**
 * Fills the disk to its last byte. The disk stores as much as it can and then reports that it is
 * full.
 */
async function takeAllRoom(disk: string): Promise<void> {
  await writeFile(join(disk, 'other'), Buffer.alloc(2 * 1024 * 1024)).catch(() => undefined)
}

/** Writes a file of cooperatives that is larger than a block of the disk. */
async function writeCooperatives(t: Test): Promise<string> {
  const file = join(t.testdir(), 'cooperatives.json')
  const cooperative = { name: 'Solar eG', share_price: '250.00', energy_category: 'solar' }
  const keys = Array.from({ length: 100 }, (_, index) => `cooperative-${index}`)
  await writeFile(file, JSON.stringify(keys.map((key) => ({ key, ...cooperative }))))
  return file
}

function runOn(disk: string, ...argv: string[]) {
  return runCoopshare([...argv, '--data-dir', join(disk, 'data')])
}

async function requireExplained(t: Test, disk: string): Promise<void> {
  const told = await runOn(disk, 'store', 'compact')
  t.equal(told.code, 5)
  t.match(told.stderr, /^Error: There is no room left on the disk of .*data: compaction writes/)
  const { code, stdout } = await runOn(disk, 'store', 'compact', '--json')
  t.equal(code, 5)
  t.match(JSON.parse(stdout).error, { code: 'SERVICE_UNAVAILABLE', message: /make room first/ })
  const backup = await runOn(disk, 'store', 'backup', join(disk, 'backup'), '--json')
  t.equal(backup.code, 4)
  t.match(JSON.parse(backup.stdout).error, {
    code: 'ENOSPC',
    message:
      /^There is no space left on the disk of .*backup\. Free some space, or use another disk/,
  })
}

t.test('an error about a full disk names the directory that needs space', async (t) => {
  const disk = await fillDisk(t)
  if (disk === undefined) return
  await takeAllRoom(disk)
  const { code, stderr } = await runOn(disk, 'store', 'compact')
  t.equal(code, 5)
  t.match(stderr, /Cannot use the data directory .*data\. There is no space left on the disk/)
  await rm(join(disk, 'other'))
  const served = await serve(t, ['--data-dir', join(disk, 'data')])
  await takeAllRoom(disk)
  await requireExplained(t, disk)

  await t.test('after a failed write the error says to restart the service', async (t) => {
    const failed = await runOn(disk, 'cooperative', 'import', await writeCooperatives(t))
    t.equal(failed.code, 5, failed.stderr)
    const unready = await checkedOperatorFetch(`${served.operator_url}/readyz`)
    t.equal(unready.status, 503)
    t.match(await unready.json(), { detail: /then restart the service\.$/ })
    await rm(join(disk, 'other'))
    const refused = await runOn(disk, 'store', 'compact')
    t.equal(refused.code, 5)
    t.match(refused.stderr, /make room first, then restart the service/)
    await served.stop()
    t.equal((await runOn(disk, 'store', 'compact')).code, 0)
  })
})

t.test('the error of a restore to a full disk names the data directory', async (t) => {
  const disk = await fillDisk(t)
  if (disk === undefined) return
  const backup = join(t.testdir(), 'backup')
  t.equal((await runOn(disk, 'store', 'backup', backup)).code, 0)
  await takeAllRoom(disk)
  const restored = await runCoopshare(['store', 'restore', backup, '--data-dir', join(disk, 'new')])
  t.equal(restored.code, 5)
  t.match(restored.stderr, /Cannot use the data directory .*new\. There is no space left/)
})

t.test('without a service, a failed write reports the full disk', async (t) => {
  const disk = await fillDisk(t)
  if (disk === undefined) return
  await writeFile(join(disk, 'room'), Buffer.alloc(12 * 1024))
  await takeAllRoom(disk)
  await rm(join(disk, 'room'))
  const failed = await runOn(disk, 'cooperative', 'import', await writeCooperatives(t))
  t.equal(failed.code, 5)
  t.match(failed.stderr, /Cannot use the data directory .*data\. There is no space left on the/)
})
