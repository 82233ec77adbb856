import { randomBytes } from 'node:crypto'
import { chmod, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../../domain/problem.ts'
import type { Sealed } from '../../domain/sealed.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import type { StoreMove } from '../../ports/store-copy.ts'
import { makePrivateDirectory, privateDirectory, writeFileDurably } from '../disk.ts'
import { parseEncryptionKey } from '../encryption-key.ts'
import { acquireLock } from '../file-lock/lock.ts'
import { isKeyFor, otherKey, refuseKey } from '../key-check.ts'
import { isNewer, madeByNewer } from '../newer-form.ts'
import { noStore } from '../no-store.ts'
import { requireOwnDirectory } from '../require-own-directory.ts'
import { createVault } from '../vault.ts'
import { journalHeader } from './journal.ts'
import { chainStart, formatVersion, sealLine } from './lines.ts'
import { readRecordedEnd } from './recorded-end.ts'
import {
  damaged,
  isOfLock,
  isStoreFileName,
  journalName,
  keyName,
  listFiles,
  lockName,
  manifestName,
  recordedEndName,
  spoolName,
} from './store-files.ts'

export async function requireDirectory(directory: string): Promise<void> {
  if (await makePrivateDirectory(directory)) return
  // Somebody's own directory with other things in it keeps its mode; the files in it are private all the same.
  const isEmpty = (await readdir(directory)).length === 0
  // One that is not ours is refused by what it is.
  if (isEmpty) await chmod(directory, privateDirectory).catch(() => {})
  await requireOwnDirectory(directory)
}

/** @param isExpected what may be there */
export async function requireEmpty(
  directory: string,
  isExpected: (name: string) => boolean = () => false,
): Promise<void> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return []
  })
  if (names.every(isExpected)) return
  throw new Problem(
    'STORE_NOT_EMPTY',
    `${directory} is not empty. Name a new directory, and nothing is overwritten.`,
  )
}

const manifestFormat = 'coopshare-store'
/** Of a store that has moved: a program that does not know the mark must not open it. */
const movedVersion = 2

/** Says that a directory is a store. It is written last when one is made, so that half of one is none. */
export interface Manifest {
  readonly createdAt: Timestamp
  /** A known text, sealed with the store's key: another key cannot open it. */
  readonly keyCheck: Sealed
  /** Absent unless the store was copied elsewhere and lives there. */
  readonly moved?: StoreMove
}

export async function readManifest(directory: string): Promise<Manifest | undefined> {
  const text = await readFile(join(directory, manifestName), 'utf8').catch(ignoreMissing)
  return text === undefined ? undefined : parseManifest(text)
}

export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const version = manifest.moved ? movedVersion : formatVersion
  const content = { format: manifestFormat, version, ...manifest }
  await writeFileDurably(join(directory, manifestName), `${JSON.stringify(content)}\n`)
}

export function parseManifest(text: string): Manifest {
  const { format, version, ...manifest } = parseJson(text)
  if (format === manifestFormat && isNewer(version, movedVersion)) throw madeByNewer(manifestName)
  if (format !== manifestFormat || ![formatVersion, movedVersion].includes(version)) {
    throw damaged(`${manifestName} is not in a form that this program knows.`)
  }
  return manifest
}

function parseJson(text: string) {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw damaged(`${manifestName} is not what was written.`, cause)
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

export interface KeySource {
  readonly directory: string
  /** As the operator gave it; without it the key is in the data directory. */
  readonly encryptionKey?: string | undefined
}

export async function requireKey(source: KeySource, manifest: Manifest): Promise<Buffer> {
  return (
    (await findStoreKey(source, manifest)) ??
    refuseKey(`${keyName} is missing, and no other key was given.`)
  )
}

/** undefined when there is none at hand; another one than the store's is refused. */
export async function findStoreKey(
  source: KeySource,
  { keyCheck }: Manifest,
): Promise<Buffer | undefined> {
  const key = await findKey(source)
  if (key && !isKeyFor(keyCheck, createVault(key))) refuseKey(otherKey)
  return key
}

/** The key of a new store: the one given, the one that a start which was cut off left, or a new one. */
export async function createKey(source: KeySource): Promise<Buffer> {
  const existing = await findKey(source)
  if (existing) return existing
  const key = randomBytes(32)
  await writeFileDurably(join(source.directory, keyName), `${key.toString('hex')}\n`)
  return key
}

async function findKey({ directory, encryptionKey }: KeySource): Promise<Buffer | undefined> {
  const text = encryptionKey ?? (await readKeyFile(directory))
  return text === undefined ? undefined : parseEncryptionKey(text)
}

async function readKeyFile(directory: string): Promise<string | undefined> {
  return readFile(join(directory, keyName), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
}

/** There as long as a copy into the directory is under way. */
const markName = 'copy.unfinished'

export async function markUnfinishedCopy(directory: string): Promise<void> {
  await writeFileDurably(
    join(directory, markName),
    'A copy into this directory has begun and is not complete.\n',
  )
}

export async function removeMark(directory: string): Promise<void> {
  await rm(join(directory, markName), { force: true })
}

function isMark(name: string): boolean {
  return name === markName || name === spoolName
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

export async function requireNoUnfinishedCopy(directory: string): Promise<void> {
  if (await isThere(join(directory, spoolName))) throw restoreCutOff(directory)
  if (!(await isThere(join(directory, markName)))) return
  throw new Problem(
    'STORE_DAMAGED',
    `A copy into ${directory} is under way or was cut off, so there is no whole store in it. Once nobody copies there any more, remove the directory and copy again: coopshare store copy.`,
  )
}

function restoreCutOff(directory: string): Problem {
  return new Problem(
    'STORE_DAMAGED',
    `A backup is being restored into ${directory}, or that was cut off, so there is no whole store in it. Once nobody restores there any more, remove the directory and restore again: coopshare store restore.`,
  )
}

/** Says what is wrong where there is none; writes nothing. */
export async function requireManifest(directory: string): Promise<Manifest> {
  await requireTraces(directory)
  const manifest = await readManifest(directory)
  if (manifest) return manifest
  await requireNoUnfinishedCopy(directory)
  await listUnfinished(directory)
  throw noStore(directory)
}

/** Of a store, of one that is being made, or of what is left of one. */
export async function requireTraces(directory: string): Promise<void> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return []
  })
  const isTrace = (name: string) =>
    isStoreFileName(name) || isOfLock(name) || isMark(name) || name === recordedEndName
  if (!names.some(isTrace)) throw noStore(directory)
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
  const path = join(directory, lockName)
  const lock = await acquireLock({ path, subject: directory, code: 'STORE_LOCKED' })
  try {
    const { moved, ...manifest } = await requireManifest(directory)
    if (!moved || !(await isWanted(moved))) return null
    await writeManifest(directory, manifest)
    return moved
  } finally {
    await lock.release()
  }
}
