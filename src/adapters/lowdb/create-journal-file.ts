import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type DiskFile, type OpenDiskFile, syncDirectory } from '../disk.ts'
import { sealLine } from './chained-line.ts'
import { journalHeader } from './line-forms.ts'
import type { JournalEnd } from './load-journal.ts'
import { journalName } from './store-files.ts'

export interface JournalPlace {
  readonly directory: string
  readonly openFile: OpenDiskFile
}

/** `checksum` is the end of the chain so far. */
export async function createJournalFile(
  { directory, openFile }: JournalPlace,
  { number, checksum: previous }: Pick<JournalEnd, 'number' | 'checksum'>,
): Promise<{ file: DiskFile; checksum: string; bytes: number }> {
  const file = await openFile(join(directory, journalName(number)), 'create')
  try {
    const { line, checksum } = sealLine(previous, journalHeader(number))
    await file.append(Buffer.from(line))
    await file.sync()
    await syncDirectory(directory)
    return { file, checksum, bytes: line.length }
  } catch (cause) {
    await file.close()
    throw cause
  }
}

export async function discardJournalFile(
  { directory }: JournalPlace,
  number: number,
): Promise<void> {
  await rm(join(directory, journalName(number)), { force: true })
  await syncDirectory(directory)
}
