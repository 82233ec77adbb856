import { join } from 'node:path'
import { Problem } from '../../domain/problem.ts'
import type { Encrypted } from '../../domain/text.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import {
  makePrivateDirectory,
  privateDirectory,
  requireOwnDirectory,
  syncDirectory,
  unlessMissing,
  writeFileDurably,
} from '../../machine/durable-files.ts'
import { chmod, readdir, readText, rm } from '../../machine/files.ts'
import { randomBytes } from '../../machine/random.ts'
import type { StoreMove } from '../../ports/store-admin.ts'
import type { Vault } from '../../ports/vault.ts'
import { type KeyRotation, refuseKey, requireKeys, vaultOf } from '../encryption-key.ts'
import { acquireLock, type Lock, requireFree } from '../file-lock/lock.ts'
import { isKnownFormat, noStore } from '../store-refusals.ts'
import type { StoreVault } from '../vault.ts'
import { chainLine, chainStart } from './checksummed-lines.ts'
import { journalHeader } from './journal.ts'
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

/** Returns whether the directory was created. */
export async function requireDirectory(directory: string): Promise<boolean> {
  if (await makePrivateDirectory(directory)) return true
  // A directory that already has other files keeps its mode. Our own files are always private.
  const isEmpty = (await listNames(directory)).length === 0
  // If the mode cannot be changed because the directory belongs to somebody else, the next check refuses it.
  if (isEmpty) await chmod(directory, privateDirectory).catch(() => {})
  await requireOwnDirectory(directory)
  return false
}

/** @param isExpected accepts the names of files that the directory may contain */
export async function requireEmpty(
  directory: string,
  isExpected: (name: string) => boolean = () => false,
): Promise<void> {
  if ((await listNames(directory)).every(isExpected)) return
  throw new Problem(
    'STORE_NOT_EMPTY',
    `${directory} is not empty. Name a new directory, so that nothing is overwritten.`,
  )
}

const manifestForm = { format: 'coopshare-store', version: 1 }

/** Marks a directory as a store. The manifest is written last, so a store that is only half created is not opened. */
export interface Manifest {
  readonly createdAt: Timestamp
  /** A known text that only the store's key opens. */
  readonly keyCheck: Encrypted
  /** Present while the key changes. */
  readonly rotation?: KeyRotation
  /** Present if the store was copied elsewhere and the copy is live. */
  readonly moved?: StoreMove
}

export async function readManifest(directory: string): Promise<Manifest | undefined> {
  const text = await unlessMissing(readText(join(directory, manifestName)))
  return text === undefined ? undefined : parseManifest(text)
}

export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const content = { ...manifestForm, ...manifest }
  await writeFileDurably(join(directory, manifestName), `${JSON.stringify(content)}\n`)
}

export function parseManifest(text: string): Manifest {
  const { format, version, ...manifest } = parseJson(text)
  if (isKnownFormat({ format, version }, manifestForm, manifestName)) return manifest
  throw damaged(`${manifestName} has a format that this program does not know.`)
}

function parseJson(text: string) {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw damaged(`${manifestName} was changed or damaged.`, cause)
  }
}

export interface KeySource {
  readonly directory: string
  /** 32 bytes as hexadecimal or base64. Without one, the store creates a key in the directory. */
  readonly encryptionKey?: string | undefined
}

export async function requireVault(source: KeySource, manifest: Manifest): Promise<StoreVault> {
  const vault = await findVault(source, manifest)
  return vault ?? refuseKey(`${keyName} is missing, and no other key was given.`)
}

/** Returns undefined if there is no key. Refuses a key that is not the store's. */
export async function findVault(source: KeySource, manifest: Manifest) {
  const vault = await openVault(source)
  if (vault) requireKeys(vault, manifest)
  return vault
}

/** The second-to-last step of a rotation: the key in the directory is replaced or removed. */
export async function keepNewKey(
  directory: string,
  { isOwn }: Pick<KeyRotation, 'isOwn'>,
  { keys: [key] }: StoreVault,
): Promise<void> {
  const path = join(directory, keyName)
  if (isOwn && key) return writeFileDurably(path, `${key.toString('hex')}\n`)
  await rm(path, { force: true })
  await syncDirectory(directory)
}

/** Uses the given key, the key that an interrupted start left behind, or a new one. */
export async function createStoreVault(source: KeySource): Promise<Vault> {
  const existing = await openVault(source)
  if (existing) return existing
  const key = randomBytes(32).toString('hex')
  await writeFileDurably(join(source.directory, keyName), `${key}\n`)
  return vaultOf(key)
}

async function openVault({ directory, encryptionKey }: KeySource): Promise<StoreVault | undefined> {
  const key = encryptionKey ?? (await unlessMissing(readText(join(directory, keyName))))
  return key === undefined ? key : vaultOf(key, encryptionKey === undefined ? keyName : undefined)
}

/** Files that exist only while a store is being created, and what to do if the creation was interrupted. */
const cutOff: Readonly<Record<string, string>> = {
  [restoreName]:
    'A backup is being restored into {directory}, or the restore was interrupted, so the store in it is incomplete. When no restore is running there any more, remove the directory and restore again: coopshare store restore.',
  [copyName]:
    'A copy into {directory} is under way or was interrupted, so the store in it is incomplete. When no copy is running there any more, remove the directory and copy again: coopshare store copy.',
}

/** Every new disk of the ext family has this directory. */
const recoveryName = 'lost+found'

/** Returns no names if there is no directory. */
async function listNames(directory: string): Promise<string[]> {
  const names = (await unlessMissing(readdir(directory))) ?? []
  return names.filter((name) => name !== recoveryName)
}

export async function requireNotInterrupted(directory: string): Promise<void> {
  for (const name of await listNames(directory)) {
    const fault = cutOff[name]?.replace('{directory}', () => directory)
    if (fault) throw new Problem('STORE_DAMAGED', fault)
  }
}

/** Explains what is wrong if there is no manifest. Writes nothing. */
export async function requireManifest(directory: string): Promise<Manifest> {
  await requireStoreFiles(directory)
  const manifest = await readManifest(directory)
  if (manifest) return manifest
  await requireNotInterrupted(directory)
  await listUnfinished(directory)
  throw noStore(directory)
}

/** Requires files of a store, of a store that is being created, or of its remains. */
export async function requireStoreFiles(directory: string): Promise<void> {
  const isTrace = (name: string) =>
    isStoreFileName(name) || isOfLock(name) || name in cutOff || name === recordedEndName
  if (!(await listNames(directory)).some(isTrace)) throw noStore(directory)
  await requireOwnDirectory(directory)
}

/** An interrupted first start leaves at most an empty journal. If there is more, the manifest was lost. */
export async function listUnfinished(directory: string): Promise<string[]> {
  // An end is recorded only for complete stores.
  if (await readRecordedEnd(directory)) throw damaged(`${manifestName} is missing.`)
  const emptyJournal = chainLine(chainStart, journalHeader(1)).line
  const files = await listFiles(directory)
  for (const { name, path } of files) {
    const isEmpty = name === journalName(1) && emptyJournal.startsWith(await readText(path))
    if (!isEmpty) throw damaged(`${manifestName} is missing.`)
  }
  return files.map(({ path }) => path)
}

/** Returns where the store had moved to, or null if nothing was changed. Calls `isWanted` before the change. */
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

/** Refuses a directory that a process has locked, without acquiring the lock. */
export function requireUnlocked(directory: string): Promise<void> {
  return requireFree(lockOf(directory))
}

function lockOf(directory: string) {
  return {
    path: join(directory, lockName),
    subject: `The store is locked: ${directory}`,
    code: 'STORE_LOCKED',
  } as const
}

/**
 * @param advice what to do if another process holds the lock; undefined for the standard advice
 * @param work must release the lock, unless it fails
 */
export async function withLock<Result>(
  directory: string,
  advice: string | undefined,
  work: (lock: Lock) => Promise<Result>,
): Promise<Result> {
  const lock = await acquireLock({ ...lockOf(directory), advice })
  try {
    return await work(lock)
  } catch (error) {
    await lock.release()
    throw error
  }
}
