import { basename, join } from 'node:path'
import { describeOtherFile, fileHeadBytes } from '../../../domain/file-kind.ts'
import { Problem } from '../../../domain/problem.ts'
import { hasLostDependencies } from '../../../domain/share-purchases/dependencies.ts'
import type { SharePurchase } from '../../../domain/share-purchases/share-purchase.ts'
import { createFile } from '../../../machine/durable-files.ts'
import { open, readText, rm, stat } from '../../../machine/files.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Vault } from '../../../ports/vault.ts'
import { EncryptedFields, encryptedCollections } from '../../encrypted-fields.ts'
import { adoptKeys, createKeyCheck, otherKey, refuseKey, vaultOf } from '../../encryption-key.ts'
import { joinKey } from '../../store/collection.ts'
import { collections } from '../../store/records.ts'
import { sharePurchases } from '../../store/share-purchases.ts'
import { isKnownFormat } from '../../store-refusals.ts'
import type { StoreVault } from '../../vault.ts'
import { backupFormat, naming, noBackup } from '../backup.ts'
import {
  describeFault,
  type Fault,
  findDangling,
  findFaults,
  findMiscounted,
} from '../check-store.ts'
import { type Line, readLines } from '../checksummed-lines.ts'
import { openDirectoryTarget, readAll } from '../copy.ts'
import { readSnapshot } from '../load-store.ts'
import { readRecordedEnd } from '../recorded-end.ts'
import {
  type Manifest,
  parseManifest,
  readManifest,
  requireEmpty,
  requireStoreFiles,
} from '../store-directory.ts'
import {
  journalName,
  keyName,
  listFiles,
  manifestName,
  missingJournals,
  type NumberedFile,
  recordedEndName,
  selectStoreFiles,
} from '../store-files.ts'
import type { Table } from '../table.ts'
import type { Tables } from '../tables.ts'
import { type LostLine, VerifiedLines } from './verified-lines.ts'

export interface SalvageOptions {
  /** A backup or a data directory, which is only read. */
  readonly source: { readonly backup: string } | { readonly directory: string }
  readonly to: string
  readonly encryptionKey: string | undefined
  readonly clock: Clock
}

export interface Salvaged {
  readonly records: Readonly<Record<string, number>>
  readonly lost: readonly (LostLine & { readonly older: readonly string[] })[]
  readonly leftOut: readonly RecordNote[]
  readonly corrected: readonly RecordNote[]
  /** Orders that can no longer be settled, because the orders that they depend on are lost. */
  readonly unsettleable: readonly RecordNote[]
}

interface Found {
  readonly lines: VerifiedLines
  readonly manifest: Manifest | undefined
  /** The key that was kept with the store. */
  readonly keyText: string | undefined
}

/** Creates a store in an empty directory from everything that can be verified in a damaged one. */
export async function salvageStore(options: SalvageOptions): Promise<Salvaged> {
  const { source, to } = options
  await requireEmpty(to)
  const found =
    'backup' in source
      ? await readDamagedBackup(source.backup)
      : await readDamagedDirectory(source.directory)
  const { tables } = found.lines
  if (tables.size === 0) {
    const fault = 'No record in the damaged store could be verified, so nothing was written.'
    throw new Problem('STORE_DAMAGED', fault)
  }
  const key = findKey(found, options)
  const kept = await keepConsistentRecords(found.lines, key.vault)
  await writeStore(options, found, key)
  return { records: tables.counts(), lost: found.lines.lostLines(), ...kept }
}

async function readDamagedDirectory(directory: string): Promise<Found> {
  await requireStoreFiles(directory)
  const lines = new VerifiedLines()
  const manifest = await readManifest(directory).catch(ignoreDamage)
  if (!manifest) lines.noteMissing(manifestName, 'it is missing, changed or damaged.')
  const recorded = await readRecordedEnd(directory).catch((error) => {
    lines.noteMissing(recordedEndName, 'it was changed or damaged.')
    return ignoreDamage(error)
  })
  const recordedName = recorded && journalName(recorded.number)
  const recordedChanges = recorded?.changes ?? 0
  for (const file of await selectFiles(directory, lines)) {
    let count = 0
    await readLines(file, (line) => {
      count += 1
      lines.add(file.name, line)
    })
    lines.endFile(file.name)
    if (file.name !== recordedName) continue
    const gone = recordedChanges - Math.max(0, count - 1)
    const are = gone === 1 ? 'is' : 'are'
    const what = `${gone} of its ${recordedChanges} changes ${are} gone without a trace.`
    if (gone > 0) lines.noteMissing(file.name, what)
  }
  const keyText = await readText(join(directory, keyName)).catch(() => undefined)
  return { lines, manifest, keyText }
}

/** Selects the last snapshot and the journals after it, or all files if that snapshot is damaged. */
async function selectFiles(
  directory: string,
  lines: VerifiedLines,
): Promise<readonly NumberedFile[]> {
  const files = await listFiles(directory)
  const { snapshot, journals } = selectStoreFiles(files)
  const checked = snapshot && readSnapshot(snapshot, () => {}).then(() => snapshot.number)
  const from = (await checked?.catch(() => undefined)) ?? 1
  const selected = files
    .filter(({ number }) => number >= from)
    .sort((a, b) => a.number - b.number || (a.kind === 'snapshot' ? -1 : 1))
  for (const name of missingJournals({ snapshot, journals })) {
    lines.noteMissing(name, 'the file is missing.')
  }
  return selected
}

/** Reads line by line, because damage may have moved the places where files begin. */
async function readDamagedBackup(path: string): Promise<Found> {
  const lines = new VerifiedLines()
  const name = basename(path)
  const kept: KeptFrames = {}
  await requireBackup(path).catch(naming(path))
  const range = { name, path, bytes: (await stat(path)).size }
  await readLines(range, (line) => {
    if (!isFrame(line, kept)) lines.add(name, line)
  })
  if (!kept.manifest) lines.noteMissing(manifestName, 'it is missing, changed or damaged.')
  lines.endFile(name)
  if (!kept.isEnded) lines.noteMissing(name, 'the end of the backup is missing.')
  return { lines, manifest: kept.manifest, keyText: kept.keyText }
}

/** Parts of a backup that is only compressed or packed must not be salvaged: all of it is there. */
async function requireBackup(path: string): Promise<void> {
  const handle = await open(path)
  try {
    const head = Buffer.alloc(fileHeadBytes)
    const { bytesRead } = await handle.read(head, 0, fileHeadBytes, 0)
    const otherKind = describeOtherFile(head.subarray(0, bytesRead))
    if (otherKind) throw noBackup(path, otherKind)
  } finally {
    await handle.close()
  }
}

const longestFrame = 64 * 1024

type KeptFrames = { manifest?: Manifest; keyText?: string; isEnded?: boolean }

/** Whether a line belongs to the backup itself, not to a snapshot or a journal. */
function isFrame({ bytes, isWhole }: Line, kept: KeptFrames): boolean {
  if (!isWhole || bytes.length > longestFrame) return false
  const text = bytes.toString('utf8')
  if (/^[0-9a-f]{64}$/.test(text)) kept.keyText = text
  else if (/^\{"sha256":"[0-9a-f]{64}"\}$/.test(text)) kept.isEnded = true
  else if (text.startsWith('{"format":"coopshare-store"')) {
    const manifest = attempt(() => parseManifest(text))
    if (!manifest) return false
    kept.manifest = manifest
  } else {
    const header = text.startsWith('{') ? attempt(() => JSON.parse(text)) : undefined
    return isKnownFormat(header ?? {}, backupFormat, 'The backup')
  }
  return true
}

function ignoreDamage(error: unknown): undefined {
  if (!(error instanceof Problem) || error.code !== 'STORE_DAMAGED') throw error
}

/** Returns undefined for damaged input. */
function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Problem && error.code === 'STORE_NEWER') throw error
    return undefined
  }
}

/** Without a manifest, the right key is the one that decrypts a record. The new store keeps the key `ownText`. */
function findKey({ lines, manifest, keyText }: Found, { encryptionKey }: SalvageOptions) {
  const given = encryptionKey === undefined ? undefined : vaultOf(encryptionKey)
  const own = keyText === undefined ? undefined : attempt(() => vaultOf(keyText))
  const fits = (vault: StoreVault | undefined) =>
    vault && (manifest ? adoptKeys(vault, manifest) : opensSome(lines.tables, vault))
  if (given && !fits(given)) refuseKey(otherKey)
  const isOwn = own && fits(own)
  const why = keyText ? 'it is not the key of the store.' : 'no key was found or given.'
  if (!isOwn && (keyText !== undefined || !given)) lines.noteMissing(keyName, why)
  const vault = given ?? (isOwn ? own : undefined)
  const keyCheck = manifest?.keyCheck ?? (vault && createKeyCheck(vault))
  if (!keyCheck) refuseKey(`${manifestName} is lost, and a new manifest needs the key.`)
  return { vault, keyCheck, rotation: manifest?.rotation, ownText: isOwn ? keyText : undefined }
}

function opensSome(tables: Tables, vault: Vault): boolean {
  const encrypted = new EncryptedFields(vault)
  for (const name of encryptedCollections) {
    encrypted.open(name, [...tables.of<object>(collections[name]).values()])
  }
  return encrypted.opened > 0 || encrypted.problems.length === 0
}

async function writeStore(
  { to, clock }: SalvageOptions,
  { manifest, lines: { tables } }: Found,
  { keyCheck, rotation, ownText }: ReturnType<typeof findKey>,
): Promise<void> {
  const moved = manifest?.moved
  const target = await openDirectoryTarget({ directory: to, keyCheck, rotation, moved, clock })
  try {
    await readAll(tables, (batch) => target.put(batch))
    await target.readBack(() => {})
    if (ownText !== undefined) {
      await createFile(join(to, keyName), [Buffer.from(`${ownText.trim()}\n`)])
    }
  } catch (error) {
    await rm(join(to, keyName), { force: true })
    await target.discard()
    throw error
  }
  await target.commit()
}

export interface RecordNote {
  /** The collection and the key, such as `sharePurchases` and an id. */
  readonly record: string
  readonly reason: string
}

/**
 * Keeps the verified records that are consistent with each other, and corrects numbers that are computed from others.
 * @param vault if given, records with a value that it cannot open are left out
 */
async function keepConsistentRecords(lines: VerifiedLines, vault: Vault | undefined) {
  const { tables } = lines
  const leftOut = [
    ...(vault ? resolveFaults(findUndecryptable(tables, vault)) : []),
    ...resolveFaults(findDuplicates(lines)),
  ]
  // Each pass may leave out further records, because they refer to records that the previous pass left out.
  for (let found = -1; found !== 0; ) {
    const dangling = resolveFaults(await listAll(findDangling(tables)))
    found = dangling.length
    leftOut.push(...dangling)
  }
  const corrected = resolveFaults(await listAll(findMiscounted(tables)))
  for await (const fault of findFaults(tables)) {
    throw new Error(`The salvaged records contradict each other: ${describeFault(fault)}`)
  }
  return { leftOut, corrected, unsettleable: listUnsettleable(tables.of(sharePurchases)) }
}

function resolveFaults(faults: readonly Fault[]): RecordNote[] {
  return faults.map(({ table, record, reason, fixed }) => {
    if (fixed) table.load(fixed)
    else table.unload(table.keyOf(record))
    return { record: table.nameOf(record), reason }
  })
}

async function listAll<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

function findUndecryptable(tables: Tables, vault: Vault): Fault[] {
  const encrypted = new EncryptedFields(vault)
  const reason = 'an encrypted value in it cannot be decrypted.'
  return encryptedCollections.flatMap((name) => {
    const table = tables.of<object>(collections[name])
    return [...table.values()].flatMap((record) =>
      encrypted.openOne(name, record).length === 0 ? [] : [{ table, record, reason }],
    )
  })
}

/** Of two records with the same unique value, the one that changed last wins. */
function findDuplicates(lines: VerifiedLines): Fault[] {
  const faults = new Map<object, Fault>()
  for (const table of lines.tables.all()) {
    const at = (record: object) => lines.changedAt(table.nameOf(record))
    const byAge = [...table.values()].sort((left, right) => at(left) - at(right))
    for (const index of table.collection.unique ?? []) {
      const reason = `a later record has the same ${index.name}.`
      const holders = new Map<string, object>()
      for (const record of byAge) {
        if (faults.has(record)) continue
        const value = joinKey(index.valuesOf(record))
        const other = holders.get(value)
        if (other) faults.set(other, { table, record: other, reason })
        holders.set(value, record)
      }
    }
  }
  return [...faults.values()]
}

/** Lists orders that cannot be settled any more. They are not changed: a person decides whether to reject them. */
function listUnsettleable(orders: Table<SharePurchase>): RecordNote[] {
  const carriersOf = ({ restsOn = [] }: SharePurchase) =>
    restsOn.flatMap((id) => orders.get(id)?.record ?? [])
  return [...orders.values()]
    .filter((order) => hasLostDependencies(order, carriersOf(order)))
    .map((order) => ({
      record: orders.nameOf(order),
      reason:
        'it cannot be settled, because the orders that its entry fee or minimum number of shares depends on are lost. Reject it.',
    }))
}
