import { randomBytes } from 'node:crypto'
import { chmod, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../../domain/problem.ts'
import type { Sealed } from '../../domain/sealed.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import type { StoreMove } from '../../ports/store-copy.ts'
import type { Vault } from '../../ports/vault.ts'
import {
  makePrivateDirectory,
  privateDirectory,
  requireOwnDirectory,
  unlessMissing,
  writeFileDurably,
} from '../../system/disk.ts'
import { isKeyFor, otherKey, refuseKey, vaultOf } from '../encryption-key.ts'
import { acquireLock, type Lock } from '../file-lock/lock.ts'
import { isKnownForm, noStore } from '../store-refusals.ts'
import { journalHeader } from './journal.ts'
import { chainStart, sealLine } from './lines.ts'
import { readRecordedEnd } from './recorded-end.ts'
import {
  copyName,
  damaged,
  isOfLock,
  isStoreFileName,
  journalName,
  keyName,
  listFiles,
  lockName,
  manifestName,
  recordedEndName,
  restoreName,
} from './store-files.ts'

/** Returns whether it was made. */
export async function requireDirectory(directory: string): Promise<boolean> {
  if (await makePrivateDirectory(directory)) return true
  // Somebody's own directory with other things in it keeps its mode; the files in it are private all the same.
  const isEmpty = (await readdir(directory)).length === 0
  // One that is not ours is refused by what it is.
  if (isEmpty) await chmod(directory, privateDirectory).catch(() => {})
  await requireOwnDirectory(directory)
  return false
}

/** @param isExpected what may be there */
export async function requireEmpty(
  directory: string,
  isExpected: (name: string) => boolean = () => false,
): Promise<void> {
  if ((await listNames(directory)).every(isExpected)) return
  throw new Problem(
    'STORE_NOT_EMPTY',
    `${directory} is not empty. Name a new directory, and nothing is overwritten.`,
  )
}

const manifestForm = { format: 'coopshare-store', version: 1 }
/** Of a store that has moved: a program that does not know the mark must not open it. */
const movedForm = { ...manifestForm, version: 2 }

/** Says that a directory is a store. It is written last when one is made, so that half of one is none. */
export interface Manifest {
  readonly createdAt: Timestamp
  /** A known text, sealed with the store's key: another key cannot open it. */
  readonly keyCheck: Sealed
  /** Absent unless the store was copied elsewhere and lives there. */
  readonly moved?: StoreMove
}

export async function readManifest(directory: string): Promise<Manifest | undefined> {
  const text = await unlessMissing(readFile(join(directory, manifestName), 'utf8'))
  return text === undefined ? undefined : parseManifest(text)
}

export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const content = { ...(manifest.moved ? movedForm : manifestForm), ...manifest }
  await writeFileDurably(join(directory, manifestName), `${JSON.stringify(content)}\n`)
}

export function parseManifest(text: string): Manifest {
  const { format, version, ...manifest } = parseJson(text)
  if (isKnownForm({ format, version }, movedForm, manifestName)) return manifest
  throw damaged(`${manifestName} is not in a form that this program knows.`)
}

function parseJson(text: string) {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw damaged(`${manifestName} is not what was written.`, cause)
  }
}

export interface KeySource {
  readonly directory: string
  /** As the operator gave it: 32 bytes as hexadecimal or base64. Without it the store makes one and keeps it in the directory. */
  readonly encryptionKey?: string | undefined
}

export async function requireVault(source: KeySource, manifest: Manifest): Promise<Vault> {
  const vault = await findVault(source, manifest)
  return vault ?? refuseKey(`${keyName} is missing, and no other key was given.`)
}

/** undefined when there is no key at hand; another one than the store's is refused. */
export async function findVault(source: KeySource, { keyCheck }: Manifest) {
  const vault = await openVault(source)
  if (vault && !isKeyFor(keyCheck, vault)) refuseKey(otherKey)
  return vault
}

/** With the key that is given, the one that a start which was cut off left, or a new one. */
export async function createStoreVault(source: KeySource): Promise<Vault> {
  const existing = await openVault(source)
  if (existing) return existing
  const key = randomBytes(32).toString('hex')
  await writeFileDurably(join(source.directory, keyName), `${key}\n`)
  return vaultOf(key)
}

async function openVault({ directory, encryptionKey }: KeySource): Promise<Vault | undefined> {
  const key = encryptionKey ?? (await unlessMissing(readFile(join(directory, keyName), 'utf8')))
  return key === undefined ? undefined : vaultOf(key)
}

/** What is there as long as a store is being made, and what to say where that was cut off. */
const cutOff: Readonly<Record<string, string>> = {
  [restoreName]:
    'A backup is being restored into {directory}, or that was cut off, so there is no whole store in it. Once nobody restores there any more, remove the directory and restore again: coopshare store restore.',
  [copyName]:
    'A copy into {directory} is under way or was cut off, so there is no whole store in it. Once nobody copies there any more, remove the directory and copy again: coopshare store copy.',
}

/** None where there is no directory. */
async function listNames(directory: string): Promise<string[]> {
  return (await unlessMissing(readdir(directory))) ?? []
}

export async function requireNotCutOff(directory: string): Promise<void> {
  for (const name of await listNames(directory)) {
    const fault = cutOff[name]?.replace('{directory}', () => directory)
    if (fault) throw new Problem('STORE_DAMAGED', fault)
  }
}

/** Says what is wrong where there is none; writes nothing. */
export async function requireManifest(directory: string): Promise<Manifest> {
  await requireTraces(directory)
  const manifest = await readManifest(directory)
  if (manifest) return manifest
  await requireNotCutOff(directory)
  await listUnfinished(directory)
  throw noStore(directory)
}

/** Of a store, of one that is being made, or of what is left of one. */
export async function requireTraces(directory: string): Promise<void> {
  const isTrace = (name: string) =>
    isStoreFileName(name) || isOfLock(name) || name in cutOff || name === recordedEndName
  if (!(await listNames(directory)).some(isTrace)) throw noStore(directory)
  await requireOwnDirectory(directory)
}

/** A first start that was cut off left an empty journal at most; anything more means that the manifest was lost. */
export async function listUnfinished(directory: string): Promise<string[]> {
  // It is only recorded of a store that was whole.
  if (await readRecordedEnd(directory)) throw damaged(`${manifestName} is missing.`)
  const emptyJournal = sealLine(chainStart, journalHeader(1)).line
  const files = await listFiles(directory)
  for (const { name, path } of files) {
    const isEmpty = name === journalName(1) && emptyJournal.startsWith(await readFile(path, 'utf8'))
    if (!isEmpty) throw damaged(`${manifestName} is missing.`)
  }
  return files.map(({ path }) => path)
}

/**
 * Returns where the store had been moved to; null when it was not, and nothing was changed.
 * @param isWanted asked before the mark is removed
 */
export async function reopenDirectory(
  directory: string,
  isWanted: (moved: StoreMove) => Promise<boolean>,
): Promise<StoreMove | null> {
  await requireManifest(directory)
  return withLock(directory, undefined, async (lock) => {
    const { moved, ...manifest } = await requireManifest(directory)
    const isReopened = moved !== undefined && (await isWanted(moved))
    if (isReopened) await writeManifest(directory, manifest)
    await lock.release()
    return isReopened ? moved : null
  })
}

/**
 * @param advice what to do when another process has the lock; undefined for the usual
 * @param work has to release the lock, unless it fails
 */
export async function withLock<Result>(
  directory: string,
  advice: string | undefined,
  work: (lock: Lock) => Promise<Result>,
): Promise<Result> {
  const path = join(directory, lockName)
  const lock = await acquireLock({ path, subject: directory, code: 'STORE_LOCKED', advice })
  try {
    return await work(lock)
  } catch (error) {
    await lock.release()
    throw error
  }
}
