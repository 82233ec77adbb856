import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../../domain/problem.ts'
import type { FileRange } from './lines.ts'

export const manifestName = 'store.json'
export const keyName = 'encryption.key'
export const lockName = 'lock'
/** How far the last journal is known to reach. No backup carries it, because a backup is proven whole by itself. */
export const recordedEndName = 'acknowledged.json'
/** There as long as a backup from a pipe is read, or when that was cut off. */
export const spoolName = 'restore.unfinished'

export function isOfLock(name: string): boolean {
  return name === lockName || name.startsWith(`${lockName}.`)
}

const numbered = /^(journal|snapshot)-(\d{8})\.jsonl$/

/** Whether a backup may carry it: a name from a file never becomes a path elsewhere. */
export function isStoreFileName(name: string): boolean {
  return numbered.test(name) || name === manifestName || name === keyName
}

export function journalName(number: number): string {
  return `journal-${String(number).padStart(8, '0')}.jsonl`
}

/** A snapshot holds all that was written before the journal of its number. */
export function snapshotName(number: number): string {
  return `snapshot-${String(number).padStart(8, '0')}.jsonl`
}

/** Of a snapshot that comes after all these files. */
export function nextNumber(files: readonly FileRange[]): number {
  const numbers = files.map(({ name }) => Number(numbered.exec(name)?.[2] ?? 0))
  return Math.max(0, ...numbers) + 1
}

export interface NumberedFile extends FileRange {
  readonly number: number
}

export interface StoreFiles {
  readonly snapshot: NumberedFile | undefined
  /** Those that the snapshot does not cover, oldest first. */
  readonly journals: readonly NumberedFile[]
}

export function selectStoreFiles(files: readonly FileRange[]): StoreFiles {
  const snapshot = numberedFiles(files, 'snapshot').at(-1)
  const journals = numberedFiles(files, 'journal')
  const from = snapshot?.number ?? 1
  return { snapshot, journals: journals.filter(({ number }) => number >= from) }
}

export function selectLeftovers(names: readonly string[], current: StoreFiles): string[] {
  const kept = new Set([...current.journals, current.snapshot].map((file) => file?.name))
  const isOurs = (name: string) =>
    numbered.test(name) || /\.jsonl\.tmp$/.test(name) || name === spoolName
  return names.filter((name) => isOurs(name) && !kept.has(name))
}

export async function listFiles(directory: string): Promise<FileRange[]> {
  const names = (await readdir(directory)).filter((name) => numbered.test(name))
  return Promise.all(names.map((name) => fileRange(directory, name)))
}

async function fileRange(directory: string, name: string): Promise<FileRange> {
  const path = join(directory, name)
  return { name, path, offset: 0, bytes: (await stat(path)).size }
}

export function numberedFiles(files: readonly FileRange[], kind: string): NumberedFile[] {
  return files
    .flatMap((file) => {
      const match = numbered.exec(file.name)
      return match?.[1] === kind ? [{ ...file, number: Number(match[2]) }] : []
    })
    .sort((left, right) => left.number - right.number)
}

/** Every journal from the first that is needed on has to be there. */
export function requireContiguous({ snapshot, journals }: StoreFiles): void {
  const first = snapshot?.number ?? 1
  const last = Math.max(first, journals.at(-1)?.number ?? 0)
  for (let number = first; number <= last; number += 1) {
    if (journals[number - first]?.number !== number)
      throw damaged(`${journalName(number)} is missing.`)
  }
}

export function damaged(what: string, cause?: unknown): Problem {
  const advice =
    'Nothing was changed. Restore a backup: coopshare store restore. What is whole can be salvaged: coopshare store salvage.'
  return new Problem('STORE_DAMAGED', `The store is damaged. ${what} ${advice}`, { cause })
}

export function damagedLine(name: string, line: number, what: string): Problem {
  return damaged(`${name}, line ${line}: ${what}`)
}
