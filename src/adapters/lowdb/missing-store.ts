import { readdir, readFile } from 'node:fs/promises'
import { noStore } from '../no-store.ts'
import { requireOwnDirectory } from '../require-own-directory.ts'
import { chainStart, sealLine } from './chained-line.ts'
import { journalHeader } from './line-forms.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { readRecordedEnd } from './recorded-end.ts'
import {
  damaged,
  isOfLock,
  isStoreFileName,
  journalName,
  listFiles,
  manifestName,
  recordedEndName,
} from './store-files.ts'
import { isMark, requireNoUnfinishedCopy } from './unfinished-copy.ts'

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
