import { existsSync } from 'node:fs'
import { dirname, isAbsolute, relative, sep } from 'node:path'
import { Errors } from '@oclif/core'
import { Problem } from '../domain/problem.ts'
import { StoreFailedProblem } from '../ports/store.ts'
import { exitCodes } from './exit-codes.ts'

interface Surroundings {
  /** Once it is known. */
  readonly dataDirectory: string | undefined
  /** What the user has typed. */
  readonly argv: readonly string[]
}

export interface NewFile {
  /** Of a file that the command was going to write, not to read. */
  readonly isNew?: boolean
}

/** Wrong usage: nothing was read, and nothing is changed. */
function missingFile(message: string): Error {
  return new Errors.CLIError(message, { code: 'FILE_NOT_FOUND', exit: exitCodes.wrongUsage })
}

/** What is wrong with a file or a folder, and what to do; any other error as it is. */
export function explainSystemError(error: Error, surroundings: Surroundings): Error {
  const { code = '', path, syscall, isNew } = error as NodeJS.ErrnoException & NewFile
  const isUnmakable = syscall === 'mkdir' && code === 'ENOENT'
  const refusal = refusals[isUnmakable ? 'UNMAKABLE' : code]
  // Reading a folder fails without its name.
  if (!refusal || (path === undefined && code !== 'EISDIR')) return error
  const { fault, advice } = refusal
  const { dataDirectory, argv } = surroundings
  if (path !== undefined && dataDirectory !== undefined && !isNamed(path, argv)) {
    if (isPartOf(dataDirectory, path)) return unusable(dataDirectory, { code, fault: fault(path) })
  }
  const message = `${fault(path ?? 'What was named')} ${advice}`
  if (code === 'ENOENT' && !isUnmakable && !isNew) return missingFile(message)
  return new Errors.CLIError(message, { code, exit: exitCodes.refused })
}

/** Why nothing can be stored: a command that works on the store itself has no log that says it. Any other error as it is. */
export function explainStoreFailure(error: unknown, dataDirectory: string | undefined): unknown {
  if (!(error instanceof StoreFailedProblem && error.cause instanceof Error)) return error
  const { cause } = error
  const { message } = explainSystemError(cause, { dataDirectory, argv: [] })
  return message === cause.message ? error : new Problem(error.code, message, { cause })
}

/** What a user names from within the directory, in an argument or a flag, is the user's. */
function isNamed(path: string, argv: readonly string[]): boolean {
  const words = argv.filter(
    (word, index) => argv[index - 1] !== '--data-dir' && !word.startsWith('--data-dir='),
  )
  return words.some((word) => word === path || word.endsWith(`=${path}`))
}

/** The store names its files in full. What is above the directory has to be made for it. */
function isPartOf(directory: string, path: string): boolean {
  return isAbsolute(path) && (isWithin(directory, path) || isWithin(path, directory))
}

function isWithin(directory: string, path: string): boolean {
  return relative(directory, path).split(sep)[0] !== '..'
}

function unusable(directory: string, { code, fault }: { code: string; fault: string }): Error {
  return new Errors.CLIError(
    `The data directory ${directory} cannot be used. ${fault} Mend that, or name another one with --data-dir.`,
    { code, exit: exitCodes.unreachable },
  )
}

interface Refusal {
  readonly fault: (path: string) => string
  readonly advice: string
}

const forbidden: Refusal = {
  fault: (path) => `This user may not use ${path}.`,
  advice: 'Change its rights, or name another file.',
}

const full: Refusal = {
  fault: (path) => `There is no room left on the disk of ${path}.`,
  advice: 'Make some, or name a file elsewhere.',
}

const refusals: Readonly<Record<string, Refusal>> = {
  ENOENT: { fault: describeMissing, advice: 'Check the name.' },
  // Of a folder below one that is there: its file system has none but its own.
  UNMAKABLE: { fault: (path) => `No folder can be made at ${path}.`, advice: 'Name another one.' },
  EEXIST: { fault: (path) => `${path} is there already.`, advice: 'Name a file that is not.' },
  EISDIR: { fault: (path) => `${path} is a folder.`, advice: 'Name a file.' },
  ENOTDIR: {
    fault: (path) => `What has to be a folder in ${path} is a file.`,
    advice: 'Check the name.',
  },
  EACCES: forbidden,
  EPERM: forbidden,
  EROFS: {
    fault: (path) => `${path} is on a disk that is read-only.`,
    advice: 'Name a file elsewhere.',
  },
  ELOOP: { fault: (path) => `The links at ${path} lead nowhere.`, advice: 'Check the name.' },
  ENAMETOOLONG: {
    fault: (path) => `The name ${path} is too long for its disk.`,
    advice: 'Name a shorter one.',
  },
  // A socket, or a device that is not there.
  ENXIO: { fault: (path) => `${path} is no file.`, advice: 'Name a file.' },
  ESPIPE: {
    fault: (path) => `${path} is no file that can be read from any place.`,
    advice: 'Name a file.',
  },
  EFBIG: {
    fault: (path) => `${path} would be larger than a file may be here.`,
    advice: 'Raise that limit, or name a file elsewhere.',
  },
  EIO: { fault: (path) => `The disk of ${path} fails.`, advice: 'Name a file elsewhere.' },
  ERR_FS_FILE_TOO_LARGE: {
    fault: (path) => `${path} is larger than can be read at once.`,
    advice: 'Take it in parts.',
  },
  ENOSPC: full,
  // What this user may take of the disk.
  EDQUOT: full,
}

function describeMissing(path: string): string {
  const folder = dirname(path)
  return existsSync(folder) ? `There is no file ${path}.` : `There is no folder ${folder}.`
}
