import { open, readFile, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Problem } from '../../../domain/problem.ts'
import type { Clock } from '../../../ports/clock.ts'
import { createFile } from '../../disk.ts'
import { parseEncryptionKey } from '../../encryption-key.ts'
import { createKeyCheck, isKeyFor, otherKey, refuseKey } from '../../key-check.ts'
import { isNewer, madeByNewer } from '../../newer-form.ts'
import { SealedValues, sealedCollections } from '../../sealed-values.ts'
import { createVault } from '../../vault.ts'
import { backupFormat } from '../backup.ts'
import { openDirectoryTarget, readAll } from '../copy.ts'
import { formatVersion, type Line, readLines } from '../lines.ts'
import { readRecordedEnd } from '../recorded-end.ts'
import { readSnapshot } from '../snapshot.ts'
import {
  type Manifest,
  parseManifest,
  readManifest,
  requireEmpty,
  requireTraces,
  writeManifest,
} from '../store-directory.ts'
import {
  journalName,
  keyName,
  listFiles,
  manifestName,
  type NumberedFile,
  numberedFiles,
  recordedEndName,
  selectStoreFiles,
} from '../store-files.ts'
import type { Tables } from '../tables.ts'
import { type LostLine, WholeLines } from './whole-lines.ts'
import { keepWholeRecords, type RecordNote } from './whole-records.ts'

export interface SalvageOptions {
  /** A backup, or a data directory. Neither is written to. */
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
  /** Orders that can no longer be settled. */
  readonly uncarried: readonly RecordNote[]
}

interface Found {
  readonly lines: WholeLines
  readonly manifest: Manifest | undefined
  /** The text of the key that was kept with the store. */
  readonly keyText: string | undefined
}

/** Makes a store in an empty directory of all that can be proven whole in a damaged one. */
export async function salvageStore(options: SalvageOptions): Promise<Salvaged> {
  const { source, to, clock } = options
  await requireEmpty(to)
  const found =
    'backup' in source
      ? await readDamagedBackup(source.backup)
      : await readDamagedDirectory(source.directory)
  const { tables } = found.lines
  if (tables.size === 0) throw nothingWhole()
  const key = findKey(found, options)
  const kept = await keepWholeRecords({
    tables,
    changedAt: (record) => found.lines.changedAt(record),
    vault: key.vault,
    now: clock.now(),
  })
  await writeStore(options, tables, key)
  if (found.manifest?.moved) await writeMove(to, found.manifest.moved)
  return { records: tables.counts(), lost: found.lines.lostLines(), ...kept }
}

async function readDamagedDirectory(directory: string): Promise<Found> {
  await requireTraces(directory)
  const lines = new WholeLines()
  const manifest = await readManifest(directory).catch((error) => {
    if (!(error instanceof Problem) || error.code !== 'STORE_DAMAGED') throw error
    return undefined
  })
  if (!manifest) lines.noteMissing(manifestName, 'it is missing, or not what was written.')
  const recorded = await readRecord(directory, lines)
  for (const file of await selectFiles(directory, lines)) {
    let count = 0
    await readLines(file, (line) => {
      count += 1
      lines.add(file.name, line)
    })
    noteCutSnapshot(file.name, lines)
    if (recorded && file.name === journalName(recorded.journal)) {
      noteGone(file.name, recorded.changes, { changes: count - 1, lines })
    }
  }
  const keyText = await readFile(join(directory, keyName), 'utf8').catch(() => undefined)
  return { lines, manifest, keyText }
}

/** How far the journal is known to have reached, where that can be read. */
async function readRecord(directory: string, lines: WholeLines) {
  return readRecordedEnd(directory).catch((error) => {
    if (!(error instanceof Problem) || error.code !== 'STORE_DAMAGED') throw error
    lines.noteMissing(recordedEndName, 'it is not what was written.')
    return undefined
  })
}

function noteGone(
  file: string,
  recorded: number,
  { changes, lines }: { readonly changes: number; readonly lines: WholeLines },
): void {
  const gone = recorded - Math.max(0, changes)
  if (gone <= 0) return
  const are = gone === 1 ? 'is' : 'are'
  lines.noteMissing(file, `${gone} of its ${recorded} changes ${are} gone without a trace.`)
}

/** The last snapshot and what came after it, if that snapshot is whole; else everything that is there, oldest first. */
async function selectFiles(directory: string, lines: WholeLines): Promise<readonly NumberedFile[]> {
  const files = await listFiles(directory)
  const { snapshot, journals } = selectStoreFiles(files)
  const isWhole = snapshot && (await isWholeSnapshot(snapshot))
  const from = isWhole ? snapshot.number : 1
  const all = [...numberedFiles(files, 'snapshot'), ...numberedFiles(files, 'journal')]
  const selected = all.filter(({ number }) => number >= from).sort((a, b) => a.number - b.number)
  const first = snapshot?.number ?? 1
  const last = Math.max(first, journals.at(-1)?.number ?? 0)
  for (let number = first; number <= last; number += 1) {
    if (journals.some((journal) => journal.number === number)) continue
    lines.noteMissing(journalName(number), 'the file is missing.')
  }
  return selected
}

async function isWholeSnapshot(file: NumberedFile): Promise<boolean> {
  return readSnapshot(file, () => true).then(
    () => true,
    () => false,
  )
}

function noteCutSnapshot(file: string, lines: WholeLines): void {
  if (lines.isInSnapshot) lines.noteMissing(file, 'the end of the snapshot is missing.')
}

/** Line by line: where files begin in it, damage may have moved. */
async function readDamagedBackup(path: string): Promise<Found> {
  const lines = new WholeLines()
  const name = basename(path)
  const kept: { manifest?: Manifest; keyText?: string; isEnded?: boolean } = {}
  await (await open(path)).close()
  const range = { name, path, offset: 0, bytes: (await stat(path)).size }
  await readLines(range, (line) => {
    if (!isFrame(line, kept)) lines.add(name, line)
  })
  if (!kept.manifest) lines.noteMissing(manifestName, 'it is missing, or not what was written.')
  noteCutSnapshot(name, lines)
  if (!kept.isEnded) lines.noteMissing(name, 'the end of the backup is missing.')
  return { lines, manifest: kept.manifest, keyText: kept.keyText }
}

const longestFrame = 64 * 1024

/** What a backup has beside the lines of snapshots and journals. */
function isFrame(
  { bytes, isWhole }: Line,
  kept: { manifest?: Manifest; keyText?: string; isEnded?: boolean },
): boolean {
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
    if (header?.format !== backupFormat) return false
    if (isNewer(header.version, formatVersion)) throw madeByNewer('The backup')
  }
  return true
}

/** undefined for what is damaged. */
function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Problem && error.code === 'STORE_NEWER') throw error
    return undefined
  }
}

interface Key {
  readonly vault: ReturnType<typeof createVault> | undefined
  readonly keyCheck: Manifest['keyCheck']
  /** To be kept with the new store, as it was with the old one. */
  readonly ownText: string | undefined
}

/** Without a manifest, the key itself has to show that it is the one: by something that it opens. */
function findKey({ lines, manifest, keyText }: Found, { encryptionKey }: SalvageOptions): Key {
  const given = encryptionKey === undefined ? undefined : vaultOf(encryptionKey)
  const own = keyText === undefined ? undefined : attempt(() => vaultOf(keyText))
  const fits = (vault: Key['vault']) =>
    vault && (manifest ? isKeyFor(manifest.keyCheck, vault) : opensSome(lines.tables, vault))
  if (given && !fits(given)) refuseKey(otherKey)
  const isOwn = own && fits(own)
  if (keyText !== undefined && !isOwn) lines.noteMissing(keyName, 'it is not the key of the store.')
  const vault = given ?? (isOwn ? own : undefined)
  const keyCheck = manifest?.keyCheck ?? (vault && createKeyCheck(vault))
  if (!keyCheck) refuseKey(`${manifestName} is lost, and a new one needs the key.`)
  return { vault, keyCheck, ownText: isOwn ? keyText : undefined }
}

function vaultOf(text: string) {
  return createVault(parseEncryptionKey(text))
}

function opensSome(tables: Tables, vault: ReturnType<typeof createVault>): boolean {
  const sealed = new SealedValues(vault)
  for (const name of sealedCollections) {
    for (const record of tables.named(name)?.values() ?? []) {
      sealed.open(name, [record])
      if (sealed.opened > 0) return true
    }
  }
  return sealed.problems.length === 0
}

async function writeStore(
  { to, clock }: SalvageOptions,
  tables: Tables,
  { keyCheck, ownText }: Key,
): Promise<void> {
  const target = await openDirectoryTarget({ directory: to, keyCheck, clock })
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
  await target.keep()
}

async function writeMove(directory: string, moved: NonNullable<Manifest['moved']>): Promise<void> {
  const manifest = await readManifest(directory)
  if (manifest) await writeManifest(directory, { ...manifest, moved })
}

function nothingWhole(): Problem {
  return new Problem('STORE_DAMAGED', 'Nothing in it can be proven whole, so nothing was written.')
}
