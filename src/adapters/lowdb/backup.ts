import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describeOtherFile, fileHeadBytes } from '../../domain/file-kind.ts'
import { Problem } from '../../domain/problem.ts'
import { createFile, syncDirectory, writeFileDurably } from '../../machine/durable-files.ts'
import { open, rm, rmdir } from '../../machine/files.ts'
import type { OpenFile } from '../../ports/machine.ts'
import type { OfflineChange } from '../../ports/store-admin.ts'
import { adoptKeys, vaultOf } from '../encryption-key.ts'
import { isKnownFormat } from '../store-refusals.ts'
import { type FileRange, formatVersion } from './checksummed-lines.ts'
import type { JournalAdapter } from './compacting-journal.ts'
import { loadStore } from './load-store.ts'
import { appendChange } from './offline-change.ts'
import {
  findVault,
  type KeySource,
  type Manifest,
  parseManifest,
  requireDirectory,
  requireEmpty,
} from './store-directory.ts'
import {
  isStoreFileName,
  keyName,
  listFiles,
  manifestName,
  numbersOf,
  rangeOf,
  restoreName,
  selectStoreFiles,
} from './store-files.ts'

export const backupFormat = { format: 'coopshare-backup', version: formatVersion }

const highWaterMark = 1024 * 1024

/** The first line of a backup. The files follow it, one after the other, and then the footer. */
interface BackupHeader {
  readonly format: string
  readonly version: number
  readonly files: readonly { readonly name: string; readonly bytes: number }[]
}

/** `digest` is the SHA-256, in hexadecimal, of everything before the footer. */
function backupFooter(digest: string): string {
  return `{"sha256":"${digest}"}\n`
}

/** @param name the path of the backup, or where it comes from */
function damagedBackup(name: string, what: string, cause?: unknown): Problem {
  return new Problem(
    'STORE_DAMAGED',
    `The backup ${name} is damaged: ${what} Nothing was written. Use another backup.`,
    { cause },
  )
}

/** @param what follows the name of the file */
export function noBackup(name: string, what: string): Problem {
  return new Problem('STORE_DAMAGED', `The backup ${name} ${what} Nothing was written.`)
}

const notABackup =
  'does not begin like a backup. If it is encrypted or compressed, decrypt or decompress it first. If it is another file, name the backup. If it is damaged, use another backup.'

/** Streams the files that exist at the start, even if a compaction removes some. No `adapter`: nobody writes. */
export async function* streamBackup(
  directory: string,
  adapter?: JournalAdapter,
): AsyncGenerator<Uint8Array> {
  const openAll = async () => {
    const stored = await (adapter ? listDurable(directory, adapter) : listFiles(directory))
    return openFiles([...(await listSmallFiles(directory)), ...stored])
  }
  const files = await (adapter ? adapter.exclusively(openAll) : openAll())
  const digest = createHash('sha256')
  try {
    for await (const chunk of streamFiles(files)) {
      digest.update(chunk)
      yield chunk
    }
    yield Buffer.from(backupFooter(digest.digest('hex')))
  } finally {
    for (const { handle } of files) await handle.close()
  }
}

interface OpenedFile extends FileRange {
  readonly handle: OpenFile
}

/** Opens all files or none: there may be too few file descriptors. */
async function openFiles(files: readonly FileRange[]): Promise<readonly OpenedFile[]> {
  const opened: OpenedFile[] = []
  try {
    for (const file of files) opened.push({ ...file, handle: await open(file.path) })
    return opened
  } catch (error) {
    for (const { handle } of opened) await handle.close()
    throw error
  }
}

async function* streamFiles(files: readonly OpenedFile[]): AsyncGenerator<Uint8Array> {
  const header: BackupHeader = {
    ...backupFormat,
    files: files.map(({ name, bytes }) => ({ name, bytes })),
  }
  yield Buffer.from(`${JSON.stringify(header)}\n`)
  for (const { handle, bytes } of files) {
    if (bytes > 0) yield* handle.chunks(highWaterMark, bytes - 1)
  }
}

/** The list contains the key file only if the store created the key. */
async function listSmallFiles(directory: string): Promise<FileRange[]> {
  const ranges = [manifestName, keyName].map((name) => rangeOf(directory, name).catch(() => []))
  return (await Promise.all(ranges)).flat()
}

/** The files of the store, up to the durable end of the journal. */
export async function listDurable(directory: string, { journal }: JournalAdapter) {
  const { number, bytes } = journal.end
  const { snapshot, journals } = selectStoreFiles(await listFiles(directory))
  const files = snapshot ? [snapshot, ...journals] : journals
  return files.map((file) =>
    file !== snapshot && file.number === number ? { ...file, bytes } : file,
  )
}

const longestHeader = 64 * 1024

interface ReadBackup {
  /** The text of the manifest. */
  readonly manifest: string
  readonly files: BackupHeader['files']
}

/**
 * Reads a backup once, from start to end, so the bytes may come through a pipe. The backup is known to be complete
 * only when the promise resolves.
 * @param name the path of the backup, or where it comes from
 * @param onFile gets each file except the manifest
 */
async function readBackup(
  content: AsyncIterable<Uint8Array>,
  name: string,
  onFile: (name: string, content: AsyncIterable<Uint8Array>) => Promise<unknown>,
): Promise<ReadBackup> {
  const reader = new BackupReader(content)
  const head = await reader.head()
  const otherKind = describeOtherFile(head)
  if (otherKind) throw noBackup(name, otherKind)
  const header = await reader.header()
  const { files } = header
  // The format is checked before the digest, which a newer format may keep elsewhere.
  if (!isKnownFormat(header, backupFormat, `The backup ${name}`)) {
    throw head.toString('latin1').includes(backupFormat.format)
      ? damagedBackup(name, 'this program does not know its format.')
      : noBackup(name, notABackup)
  }
  const names = new Set(files.map((file) => file.name))
  const areOurs = names.size === files.length && [...names].every(isStoreFileName)
  if (!areOurs || !names.has(manifestName)) {
    throw damagedBackup(name, 'its list of files is not valid.')
  }
  let manifest = ''
  for (const file of files) {
    const content = reader.take(file.bytes)
    if (file.name === manifestName) manifest = await text(content)
    else await onFile(file.name, content)
  }
  if (await reader.isAtEnd()) return { manifest, files }
  throw damagedBackup(name, 'it does not match its own checksum.')
}

class BackupReader {
  readonly #chunks: AsyncIterator<Uint8Array>
  readonly #digest = createHash('sha256')
  #rest = Buffer.alloc(0)

  constructor(content: AsyncIterable<Uint8Array>) {
    this.#chunks = content[Symbol.asyncIterator]()
  }

  /** The first bytes, which stay unread. */
  async head(): Promise<Buffer> {
    while (this.#rest.length < fileHeadBytes && (await this.#more()));
    return this.#rest.subarray(0, fileHeadBytes)
  }

  async header(): Promise<Partial<BackupHeader> & Pick<BackupHeader, 'files'>> {
    while (!this.#rest.includes('\n') && this.#rest.length < longestHeader) {
      if (!(await this.#more())) break
    }
    const line = this.#next(this.#rest.indexOf('\n') + 1)
    try {
      return { files: [], ...JSON.parse(line.toString('utf8')) }
    } catch {
      return { files: [] }
    }
  }

  /** Yields fewer bytes if the backup is cut off; its footer is then missing, too. */
  async *take(bytes: number): AsyncGenerator<Uint8Array> {
    for (let left = bytes; left > 0; ) {
      if (this.#rest.length === 0 && !(await this.#more())) return
      const chunk = this.#next(left)
      left -= chunk.length
      yield chunk
    }
  }

  async isAtEnd(): Promise<boolean> {
    const footer = backupFooter(this.#digest.digest('hex'))
    while (this.#rest.length <= footer.length && (await this.#more()));
    return this.#rest.toString('latin1') === footer
  }

  async #more(): Promise<boolean> {
    const { value, done } = await this.#chunks.next()
    if (!done) this.#rest = Buffer.concat([this.#rest, value])
    return !done
  }

  #next(bytes: number): Buffer {
    const taken = this.#rest.subarray(0, bytes)
    this.#rest = this.#rest.subarray(taken.length)
    this.#digest.update(taken)
    return taken
  }
}

/** Reads where the store ended when the backup was made, and the key check of the store. */
export async function readBackupEnd(path: string) {
  const handle = await open(path)
  const content = handle.chunks(highWaterMark)
  const reading = readBackup(content, path, async (_, bytes) => {
    for await (const _chunk of bytes);
  })
  const { manifest, files } = await reading.catch(naming(path)).finally(() => handle.close())
  const journals = files.flatMap(({ name, bytes }) => {
    const { kind, number } = numbersOf(name) ?? {}
    return kind === 'journal' && number !== undefined ? [{ journal: number, bytes }] : []
  })
  const end = journals.sort((left, right) => left.journal - right.journal).at(-1)
  if (!end) throw damagedBackup(path, 'there is no journal in it.')
  return { keyCheck: parseManifest(manifest).keyCheck, end }
}

export interface Restored<Result> {
  /** What the change has returned. */
  readonly result: Result
  /** The number of records in each collection. */
  readonly records: Readonly<Record<string, number>>
  /** Whether the key was `restored`, was `given`, or is still `needed`; `other` if a wrong key was given. */
  readonly key: 'restored' | 'given' | 'other' | 'needed'
}

/**
 * Creates a store in an empty directory.
 * @param backup the path of a file, or the bytes from a pipe
 * @param change the first write to the store, without which it is not complete
 */
export async function restoreStore<Result = undefined>(
  backup: string | AsyncIterable<Uint8Array>,
  target: KeySource,
  change?: OfflineChange<Result>,
): Promise<Restored<Result | undefined>> {
  await requireEmpty(target.directory)
  const options = { ...target, change }
  if (typeof backup !== 'string') return restore(backup, 'from standard input', options)
  // A missing backup fails here, before anything is created.
  const handle = await open(backup)
  const content = handle.chunks(highWaterMark)
  const restored = restore(content, backup, options).finally(() => handle.close())
  return restored.catch(naming(backup))
}

/** An error of a file descriptor does not name the file. */
export function naming(path: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error instanceof Problem) throw error
    throw Object.assign(error, { path: error.path ?? path })
  }
}

/** Writes the manifest last: without it, the files that a crash leaves behind are not a store. */
async function restore<Result>(
  content: AsyncIterable<Uint8Array>,
  name: string,
  { change, ...target }: KeySource & { readonly change: OfflineChange<Result> | undefined },
): Promise<Restored<Result | undefined>> {
  const { directory } = target
  const isNew = await requireDirectory(directory)
  const mark = join(directory, restoreName)
  await createFile(mark, [Buffer.from('A backup is being restored into this directory.\n')])
  const written = [mark]
  try {
    const backup = await readBackup(content, name, async (file, bytes) => {
      written.push(join(directory, file))
      await createFile(join(directory, file), bytes)
    })
    const { manifest, tables, end } = await readStore(directory, backup.manifest).catch((cause) => {
      if (cause instanceof Problem && cause.code === 'STORE_NEWER') throw cause
      throw damagedBackup(name, 'the store in it cannot be read.', cause)
    })
    const records = tables.counts()
    const isRestored = written.includes(join(directory, keyName))
    const key = isRestored ? 'restored' : stateOfKey(manifest, target)
    const source = isRestored ? { directory } : target
    const vault =
      key === 'restored' || key === 'given' ? await findVault(source, manifest) : undefined
    const result = change && (await appendChange({ directory, tables, end }, change, vault))
    await syncDirectory(directory)
    written.push(join(directory, manifestName))
    await writeFileDurably(join(directory, manifestName), backup.manifest)
    await rm(mark)
    return { records, key, result }
  } catch (cause) {
    for (const path of written.reverse()) await rm(path, { force: true })
    if (isNew) await rmdir(directory).catch(() => undefined)
    throw cause
  }
}

/** Reads the store from the disk, as the next start will. */
async function readStore(directory: string, manifest: string) {
  const { tables, end } = await loadStore(selectStoreFiles(await listFiles(directory)))
  return { manifest: parseManifest(manifest), tables, end }
}

function stateOfKey(manifest: Manifest, { encryptionKey }: KeySource): Restored<unknown>['key'] {
  if (encryptionKey === undefined) return 'needed'
  return adoptKeys(vaultOf(encryptionKey), manifest) ? 'given' : 'other'
}
