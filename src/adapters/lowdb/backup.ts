import { createHash } from 'node:crypto'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../../domain/problem.ts'
import { isNewer, madeByNewer } from '../newer-form.ts'
import type { JournalAdapter } from './journaled-store.ts'
import { type FileRange, formatVersion, readChunks } from './lines.ts'
import { loadStore } from './load.ts'
import { type Manifest, parseManifest } from './store-directory.ts'
import {
  isStoreFileName,
  keyName,
  listFiles,
  manifestName,
  selectStoreFiles,
} from './store-files.ts'
import type { Tables } from './tables.ts'

export const backupFormat = 'coopshare-backup'

/** The first line of a backup. The files follow one after the other, then the footer. */
interface BackupHeader {
  readonly format: string
  readonly version: number
  readonly files: readonly { readonly name: string; readonly bytes: number }[]
}

/** `digest` is SHA-256 in hexadecimal of all that stands before the footer. */
function backupFooter(digest: string): string {
  return `{"sha256":"${digest}"}\n`
}

const backupFooterBytes = backupFooter('0'.repeat(64)).length

/** @param name its path, or where it comes from */
function damagedBackup(name: string, what: string, cause?: unknown): Problem {
  return new Problem(
    'STORE_DAMAGED',
    `The backup ${name} is damaged: ${what} Nothing was written. Use another one.`,
    { cause },
  )
}

type OpenRange = FileRange & { readonly handle: FileHandle }

/** The files as they stand, in one: what is appended later is left out, and what is compacted away stays readable. */
export async function* streamBackup(
  directory: string,
  adapter: JournalAdapter,
): AsyncGenerator<Uint8Array> {
  const files = await adapter.compactor.exclusively(async () =>
    openAll([...(await listSmallFiles(directory)), ...(await listDurable(directory, adapter))]),
  )
  try {
    yield* frame(files)
  } finally {
    for (const { handle } of files) await handle.close()
  }
}

async function* frame(files: readonly OpenRange[]): AsyncGenerator<Uint8Array> {
  const digest = createHash('sha256')
  for await (const chunk of streamFiles(files)) {
    digest.update(chunk)
    yield chunk
  }
  yield Buffer.from(backupFooter(digest.digest('hex')))
}

async function* streamFiles(files: readonly OpenRange[]): AsyncGenerator<Uint8Array> {
  const header: BackupHeader = {
    format: backupFormat,
    version: formatVersion,
    files: files.map(({ name, bytes }) => ({ name, bytes })),
  }
  yield Buffer.from(`${JSON.stringify(header)}\n`)
  for (const file of files) yield* readChunks(file.handle, file)
}

/** The key is there only when the store made it itself. */
async function listSmallFiles(directory: string): Promise<FileRange[]> {
  const ranges = [manifestName, keyName].map(async (name) => {
    const path = join(directory, name)
    const bytes = (await stat(path).catch(() => undefined))?.size
    return bytes === undefined ? [] : [{ name, path, offset: 0, bytes }]
  })
  return (await Promise.all(ranges)).flat()
}

/** The store's files, without what the journal has not yet made durable. */
export async function listDurable(
  directory: string,
  { journal }: Pick<JournalAdapter, 'journal'>,
): Promise<FileRange[]> {
  const { number, durableBytes } = journal
  const { snapshot, journals } = selectStoreFiles(await listFiles(directory))
  const files = snapshot ? [snapshot, ...journals] : journals
  return files.map((file) =>
    file !== snapshot && file.number === number ? { ...file, bytes: durableBytes } : file,
  )
}

async function openAll(files: readonly FileRange[]): Promise<OpenRange[]> {
  return Promise.all(files.map(async (file) => ({ ...file, handle: await open(file.path) })))
}

const lineEnd = 10
const longestHeader = 64 * 1024

export interface Backup {
  readonly files: readonly FileRange[]
  readonly manifest: Manifest
  readonly tables: Tables
}

/** Reads all of a backup before anything is made of it: its own digest, then every line of the files in it. */
export async function readBackup(path: string, name = path): Promise<Backup> {
  const files = await readFraming(path, name)
  try {
    const manifest = parseManifest(await readManifestText(files))
    const { tables } = await loadStore(selectStoreFiles(files))
    return { files, manifest, tables }
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
