import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { Problem } from '../../domain/problem.ts'
import { isNewer, madeByNewer } from '../newer-form.ts'
import {
  type BackupHeader,
  backupFooter,
  backupFooterBytes,
  backupFormat,
  damagedBackup,
} from './backup-form.ts'
import type { Collections } from './collections.ts'
import { formatVersion } from './line-forms.ts'
import { loadStore } from './load-store.ts'
import { type Manifest, parseManifest } from './manifest.ts'
import { type FileRange, readChunks } from './read-lines.ts'
import { isStoreFileName, manifestName, selectStoreFiles } from './store-files.ts'

const lineEnd = 10
const longestHeader = 64 * 1024

export interface Backup {
  readonly files: readonly FileRange[]
  readonly manifest: Manifest
  readonly collections: Collections
}

/** Reads all of a backup before anything is made of it: its own digest, then every line of the files in it. */
export async function readBackup(path: string, name = path): Promise<Backup> {
  const files = await readFraming(path, name)
  try {
    const manifest = parseManifest(await readManifestText(files))
    const { collections } = await loadStore(selectStoreFiles(files))
    return { files, manifest, collections }
  } catch (cause) {
    if (cause instanceof Problem && cause.code === 'STORE_NEWER') throw cause
    throw damagedBackup(name, 'the store in it cannot be read.', cause)
  }
}

/** Where the store ended when the backup was made, and what its key is known by. */
export async function readBackupEnd(path: string) {
  const files = await readFraming(path, path)
  const last = selectStoreFiles(files).journals.at(-1)
  if (!last) throw damagedBackup(path, 'there is no journal in it.')
  const { keyCheck } = parseManifest(await readManifestText(files))
  return { keyCheck, end: { journal: last.number, bytes: last.bytes } }
}

async function readManifestText(files: readonly FileRange[]): Promise<string> {
  const file = files.find(({ name }) => name === manifestName)
  if (!file) throw new Error('A backup without a manifest was refused before.')
  const handle = await open(file.path)
  return readText(handle, file.offset, file.bytes).finally(() => handle.close())
}

async function readFraming(path: string, name: string): Promise<FileRange[]> {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    await requireOwnForm(handle, name, size)
    await requireDigest(handle, name, size - backupFooterBytes)
    return await readFileList(handle, { path, name, end: size - backupFooterBytes })
  } catch (error) {
    // By its descriptor a file fails without its name.
    throw error instanceof Problem ? error : Object.assign(error as Error, { path })
  } finally {
    await handle.close()
  }
}

/** Before its digest, which a newer form may have in another place. */
async function requireOwnForm(handle: FileHandle, name: string, end: number): Promise<void> {
  const { header } = await readHeader(handle, end)
  if (header?.format !== backupFormat || !isNewer(header.version, formatVersion)) return
  throw madeByNewer(`The backup ${name}`)
}

async function requireDigest(handle: FileHandle, backup: string, end: number): Promise<void> {
  const digest = createHash('sha256')
  for await (const chunk of readChunks(handle, { offset: 0, bytes: end })) digest.update(chunk)
  const footer = await readText(handle, Math.max(0, end), backupFooterBytes)
  if (footer !== backupFooter(digest.digest('hex'))) {
    throw damagedBackup(backup, 'it does not match its own checksum.')
  }
}

interface Framing {
  readonly path: string
  readonly name: string
  /** Where the footer begins. */
  readonly end: number
}

async function readFileList(
  handle: FileHandle,
  { path, name: backup, end }: Framing,
): Promise<FileRange[]> {
  const { header, headerBytes } = await readHeader(handle, end)
  if (header?.format !== backupFormat || header.version !== formatVersion) {
    throw damagedBackup(backup, 'it is not in a form that this program knows.')
  }
  let offset = headerBytes
  const files = header.files.map(({ name, bytes }) => {
    offset += bytes
    return { name, path, offset: offset - bytes, bytes }
  })
  const areOurs = files.every(({ name }) => isStoreFileName(name))
  const hasManifest = files.some(({ name }) => name === manifestName)
  if (offset === end && areOurs && hasManifest) return files
  throw damagedBackup(backup, 'its list of files is not what a backup has.')
}

async function readHeader(handle: FileHandle, end: number) {
  const start = await readBytes(handle, 0, Math.min(end, longestHeader))
  const headerBytes = start.indexOf(lineEnd) + 1
  return { header: parseHeader(start.toString('utf8', 0, headerBytes)), headerBytes }
}

function parseHeader(text: string): BackupHeader | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function readText(handle: FileHandle, offset: number, bytes: number): Promise<string> {
  return (await readBytes(handle, offset, bytes)).toString('utf8')
}

async function readBytes(handle: FileHandle, offset: number, bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of readChunks(handle, { offset, bytes })) chunks.push(chunk)
  return Buffer.concat(chunks)
}
