import { join } from 'node:path'
import { Problem } from '../../domain/problem.ts'
import { readdir, rm, stat } from '../../machine/files.ts'
import type { FileRange } from './checksummed-lines.ts'

export const manifestName = 'store.json'
export const keyName = 'encryption.key'
export const lockName = 'lock'
/** Records how far the last journal reached. A backup does not contain it, but has its own checksum. */
export const recordedEndName = 'acknowledged.json'
/** Exists while a copy into the directory runs, or after it was interrupted. */
export const copyName = 'copy.unfinished'
/** Exists while a backup is restored, or after the restore was interrupted. */
export const restoreName = 'restore.unfinished'

export function isOfLock(name: string): boolean {
  return name === lockName || name.startsWith(`${lockName}.`)
}

const numbered = /^(journal|snapshot)-(\d{8})\.jsonl$/

/** Whether a backup may contain this name. No name may become a path outside the directory. */
export function isStoreFileName(name: string): boolean {
  return numbered.test(name) || name === manifestName || name === keyName
}

export function journalName(number: number): string {
  return `journal-${String(number).padStart(8, '0')}.jsonl`
}

/** A snapshot covers everything before the journal with the same number. */
export function snapshotName(number: number): string {
  return `snapshot-${String(number).padStart(8, '0')}.jsonl`
}

type FileKind = 'journal' | 'snapshot'

export interface NumberedFile extends FileRange {
  readonly kind: FileKind
  readonly number: number
}

export interface StoreFiles {
  readonly snapshot: NumberedFile | undefined
  /** The journals that the snapshot does not cover, oldest first. */
  readonly journals: readonly NumberedFile[]
}

export function selectStoreFiles(files: readonly NumberedFile[]): StoreFiles {
  const sorted = [...files].sort((left, right) => left.number - right.number)
  const snapshot = sorted.findLast(({ kind }) => kind === 'snapshot')
  const from = snapshot?.number ?? 1
  const journals = sorted.filter(({ kind, number }) => kind === 'journal' && number >= from)
  return { snapshot, journals }
}

/** Removes files that a snapshot covers, and unfinished files that a crash left behind. */
export async function removeLeftovers(directory: string): Promise<void> {
  const { snapshot, journals } = selectStoreFiles(await listFiles(directory))
  const kept = new Set([...journals, snapshot].map((file) => file?.name))
  const isOurs = (name: string) =>
    numbered.test(name) || /\.jsonl\.tmp$/.test(name) || name === restoreName
  for (const name of await readdir(directory)) {
    if (isOurs(name) && !kept.has(name)) await rm(join(directory, name), { force: true })
  }
}

export async function listFiles(directory: string): Promise<NumberedFile[]> {
  const files = (await readdir(directory)).map(async (name) => {
    const numbers = numbersOf(name)
    return numbers ? [{ ...numbers, ...(await rangeOf(directory, name)) }] : []
  })
  return (await Promise.all(files)).flat()
}

/** The whole file with its present length. */
export async function rangeOf(directory: string, name: string): Promise<FileRange> {
  const path = join(directory, name)
  return { name, path, bytes: (await stat(path)).size }
}

/** Returns undefined unless the name is that of a journal or a snapshot. */
export function numbersOf(name: string): Pick<NumberedFile, 'kind' | 'number'> | undefined {
  const match = numbered.exec(name)
  return match ? { kind: match[1] as FileKind, number: Number(match[2]) } : undefined
}

/** The numbers of missing journals: all journals have to exist, beginning with the first one that is needed. */
export function missingJournals({ snapshot, journals }: StoreFiles): string[] {
  const first = snapshot?.number ?? 1
  const last = Math.max(first, journals.at(-1)?.number ?? 0)
  const due = Array.from({ length: last - first + 1 }, (_, index) => journalName(first + index))
  return due.filter((name) => journals.every((journal) => journal.name !== name))
}

export function damaged(what: string, cause?: unknown, more = ''): Problem {
  const advice =
    'Nothing was changed. Restore a backup: coopshare store restore. Undamaged records can be salvaged: coopshare store salvage.'
  return new Problem('STORE_DAMAGED', `The store is damaged. ${what} ${advice}${more}`, { cause })
}

export function damagedLine(name: string, line: number, what: string): Problem {
  return damaged(`${name}, line ${line}: ${what}`)
}
