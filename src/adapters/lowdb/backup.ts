import { createHash } from 'node:crypto'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type BackupHeader, backupFooter, backupFormat } from './backup-form.ts'
import type { JournalAdapter } from './journal-adapter.ts'
import { formatVersion } from './line-forms.ts'
import { type FileRange, readChunks } from './read-lines.ts'
import { keyName, listFiles, manifestName, selectStoreFiles } from './store-files.ts'

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
