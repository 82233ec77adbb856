import { createHash } from 'node:crypto'
import { checkStore } from '../src/adapters/lowdb/check-store.ts'
import { loadStore } from '../src/adapters/lowdb/load-store.ts'
import { listFiles, selectStoreFiles } from '../src/adapters/lowdb/store-files.ts'
import { Problem } from '../src/domain/problem.ts'
import type { Dice } from './dice.ts'
import type { Inode } from './disk.ts'
import type { World } from './world.ts'

const directory = '/data'
const isOfStore = /^\/data\/(journal|snapshot|store|acknowledged|encryption)/

/** The number of bits that flip, one at a time, before the service starts with another one. */
const flips = 8

/** Requires that a check and a start notice a flipped bit on the disk, unless it changes no record. */
export async function tryFlippedBits(world: World, dice: Dice): Promise<void> {
  const before = await showOrders(world)
  if (!before || !world.service?.isReady || world.isDiskFaulty) return
  if (!(await world.stop())) return
  const whole = world.computer.disk
  world.computer.disk = whole.copy()
  const files = [...world.computer.disk.files()].filter(
    ([path, { size }]) => isOfStore.test(path) && size > 0,
  )
  if (files.length > 0) {
    world.isOnTrial = true
    await checkDamaged(world, files, dice)
    await startDamaged(world, { files, before }, dice)
    world.isOnTrial = false
  }
  world.computer.disk = whole
  await world.start()
}

type StoredFile = readonly [path: string, inode: Inode]

async function checkDamaged(world: World, files: readonly StoredFile[], dice: Dice): Promise<void> {
  const process = world.computer.startProcess()
  const whole = await digestOfStore()
  for (let number = 0; number < flips; number += 1) {
    const [path, inode] = dice.pick(files) ?? []
    if (!inode) continue
    const { at, undo } = inode.flip(dice)
    world.counts.faults += 1
    const isNoticed = await isDamageNoticed(world, `a flipped bit of ${path} at ${at}`)
    if (!isNoticed && (await digestOfStore()) !== whole)
      world.violate(`a bit of ${path} flips at ${at}, and the check does not notice it`)
    undo()
  }
  process.isDead = true
}

async function isDamageNoticed(world: World, what: string): Promise<boolean> {
  try {
    const { problems, tornBytes } = await checkStore({ directory })
    return problems.length > 0 || tornBytes > 0
  } catch (error) {
    if (!(error instanceof Problem)) world.violate(`${what} stops the check: ${error}`)
    return true
  }
}

/** Returns a digest of all records. */
async function digestOfStore(): Promise<string> {
  const { tables } = await loadStore(selectStoreFiles(await listFiles(directory)))
  const digest = createHash('sha256')
  for (const table of tables.all()) {
    for (const record of table.values()) digest.update(JSON.stringify(record))
  }
  return digest.digest('hex')
}

interface Trial {
  readonly files: readonly StoredFile[]
  readonly before: ReadonlyMap<string, string>
}

async function startDamaged(world: World, { files, before }: Trial, dice: Dice): Promise<void> {
  const [path, inode] = dice.pick(files) ?? []
  if (!inode) return
  world.counts.faults += 1
  world.tell(`a bit of ${path} flips at ${inode.flip(dice).at}`)
  const error = await world.begin().ready.then(
    () => undefined,
    (reason: Error) => reason,
  )
  if (error) world.tell(`the service refuses it: ${error.message.slice(0, 120)}`)
  else await judgeAfterFlip(world, before)
  world.endProcess()
}

/** Requires that a store that opens with a flipped bit shows the same orders as before. */
async function judgeAfterFlip(world: World, before: ReadonlyMap<string, string>): Promise<void> {
  const after = await showOrders(world)
  if (!after) return
  for (const [id, shown] of before) {
    if (after.get(id) === shown) continue
    world.violate(
      `the order ${id} is ${after.get(id) ?? 'lost'} after a flipped bit, and nobody noticed`,
    )
  }
}

/** Returns the fields of each order that never change, by its id. */
async function showOrders(world: World): Promise<ReadonlyMap<string, string> | undefined> {
  const answer = await world.operate('purchase.list', {}, { isTrial: true })
  if (answer?.status !== 200) return undefined
  const shown = new Map<string, string>()
  for (const { status: _, reason: __, updated_at: ___, settled_at: ____, ...row } of answer.body) {
    shown.set(row.share_purchase_id, JSON.stringify(row))
  }
  return shown
}
