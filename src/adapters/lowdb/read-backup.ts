import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { Problem } from '../../domain/problem.ts'
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
import { type FileRange, readChunks } from './read-lines.ts'
import { isStoreFileName, manifestName, selectStoreFiles } from './store-files.ts'

const lineEnd = 10
const longestHeader = 64 * 1024

export interface Backup {
  readonly files: readonly FileRange[]
  readonly collections: Collections
}

/** Reads all of a backup before anything is made of it: its own digest, then every line of the files in it. */
export async function readBackup(path: string): Promise<Backup> {
  const files = await readFraming(path)
  try {
    const { collections } = await loadStore(selectStoreFiles(files))
    return { files, collections }
  } catch (cause) {
    throw damagedBackup(path, 'the store in it cannot be read.', cause)
  }
}

async function readFraming(path: string): Promise<FileRange[]> {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    await requireDigest(handle, path, size - backupFooterBytes)
    return await readFileList(handle, path, size - backupFooterBytes)
  } catch (error) {
    // By its descriptor a file fails without its name.
    throw error instanceof Problem ? error : Object.assign(error as Error, { path })
  } finally {
    await handle.close()
  }
}

async function requireDigest(handle: FileHandle, path: string, end: number): Promise<void> {
  const digest = createHash('sha256')
  for await (const chunk of readChunks(handle, { offset: 0, bytes: end })) digest.update(chunk)
  const footer = await readText(handle, Math.max(0, end), backupFooterBytes)
  if (footer !== backupFooter(digest.digest('hex'))) {
    throw damagedBackup(path, 'it does not match its own checksum.')
  }
}

async function readFileList(handle: FileHandle, path: string, end: number): Promise<FileRange[]> {
  const { header, headerBytes } = await readHeader(handle, path, end)
  let offset = headerBytes
  const files = header.files.map(({ name, bytes }) => {
    offset += bytes
    return { name, path, offset: offset - bytes, bytes }
  })
  const areOurs = files.every(({ name }) => isStoreFileName(name))
  const hasManifest = files.some(({ name }) => name === manifestName)
  if (offset === end && areOurs && hasManifest) return files
  throw damagedBackup(path, 'its list of files is not what a backup has.')
}

async function readHeader(handle: FileHandle, path: string, end: number) {
  const start = await readBytes(handle, 0, Math.min(end, longestHeader))
  const headerBytes = start.indexOf(lineEnd) + 1
  const header = parseHeader(start.toString('utf8', 0, headerBytes))
  if (header?.format === backupFormat && header.version === formatVersion) {
    return { header, headerBytes }
  }
  throw damagedBackup(path, 'it is not in a form that this program knows.')
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
