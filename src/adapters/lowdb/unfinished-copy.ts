import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../../domain/problem.ts'
import { writeFileDurably } from '../disk.ts'
import { spoolName } from './store-files.ts'

/** There as long as a copy into the directory is under way. */
const markName = 'copy.unfinished'

export async function markUnfinishedCopy(directory: string): Promise<void> {
  await writeFileDurably(
    join(directory, markName),
    'A copy into this directory has begun and is not complete.\n',
  )
}

export async function removeMark(directory: string): Promise<void> {
  await rm(join(directory, markName), { force: true })
}

export function isMark(name: string): boolean {
  return name === markName || name === spoolName
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

export async function requireNoUnfinishedCopy(directory: string): Promise<void> {
  if (await isThere(join(directory, spoolName))) throw restoreCutOff(directory)
  if (!(await isThere(join(directory, markName)))) return
  throw new Problem(
    'STORE_DAMAGED',
    `A copy into ${directory} is under way or was cut off, so there is no whole store in it. Once nobody copies there any more, remove the directory and copy again: coopshare store copy.`,
  )
}

function restoreCutOff(directory: string): Problem {
  return new Problem(
    'STORE_DAMAGED',
    `A backup is being restored into ${directory}, or that was cut off, so there is no whole store in it. Once nobody restores there any more, remove the directory and restore again: coopshare store restore.`,
  )
}
