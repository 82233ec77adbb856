import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileDurably } from '../disk.ts'
import { parseEncryptionKey } from '../encryption-key.ts'
import { isKeyFor, otherKey, refuseKey } from '../key-check.ts'
import { createVault } from '../vault.ts'
import type { Manifest } from './manifest.ts'
import { keyName } from './store-files.ts'

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
