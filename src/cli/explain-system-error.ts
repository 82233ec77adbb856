import { existsSync } from 'node:fs'
import { dirname, isAbsolute } from 'node:path'
import { Errors } from '@oclif/core'
import { Problem } from '../domain/problem.ts'
import { StoreFailedProblem } from '../ports/store.ts'
import { exitCodes } from './error-codes.ts'
import { commandError } from './errors.ts'
import { isWithin } from './files/read-file.ts'

interface ConfigSources {
  /** undefined until the settings have been read. */
  readonly dataDirectory: string | undefined
  readonly argv: readonly string[]
}

interface NewFile {
  /** The command was about to write the file, not to read it. */
  readonly isNew?: boolean
}

/** Returns any other error unchanged. */
export function explainSystemError(error: Error, surroundings: ConfigSources): Error {
  const { code = '', path, syscall, isNew } = error as NodeJS.ErrnoException & NewFile
  const isUnmakable = syscall === 'mkdir' && code === 'ENOENT'
  const refusal = isUnmakable ? unmakable : refusals[code]
  // EISDIR has no path.
  if (!refusal || (path === undefined && code !== 'EISDIR')) return error
  const { fault, advice } = refusal
  const { dataDirectory, argv } = surroundings
  if (path !== undefined && dataDirectory !== undefined && !isNamed(path, argv)) {
    // The store uses absolute paths. The parents of its directory count as a part of the store.
    if (isAbsolute(path) && (isWithin(dataDirectory, path) || isWithin(path, dataDirectory)))
      return new Errors.CLIError(
        `Cannot use the data directory ${dataDirectory}. ${fault(path)} Fix this, or give another directory with --data-dir.`,
        { code, exit: exitCodes.unreachable },
      )
  }
  const message = `${fault(path ?? 'The path')} ${advice}`
  if (code === 'ENOENT' && !isUnmakable && !isNew) return commandError('FILE_NOT_FOUND', message)
  return new Errors.CLIError(message, { code, exit: exitCodes.refused })
}

/** Adds the reason: a command that opens the store itself has no log that contains it. */
export function explainStoreFailure(error: unknown, dataDirectory: string | undefined): unknown {
  if (!(error instanceof StoreFailedProblem && error.cause instanceof Error)) return error
  const { cause } = error
  const { message } = explainSystemError(cause, { dataDirectory, argv: [] })
  return message === cause.message ? error : new Problem(error.code, message, { cause })
}

/** A file in the data directory that the user named is an input file, not part of the store. */
function isNamed(path: string, argv: readonly string[]): boolean {
  const words = argv.filter(
    (word, index) => argv[index - 1] !== '--data-dir' && !word.startsWith('--data-dir='),
  )
  return words.some((word) => word === path || word.endsWith(`=${path}`))
}

interface Refusal {
  readonly fault: (path: string) => string
  readonly advice: string
}

const forbidden: Refusal = {
  fault: (path) => `You have no permission for ${path}.`,
  advice: 'Change its permissions, or give another file.',
}

const full: Refusal = {
  fault: (path) => `There is no space left on the disk of ${path}.`,
  advice: 'Free some space, or use another disk.',
}

/** mkdir fails with ENOENT below an existing directory of a file system such as /proc. */
const unmakable: Refusal = {
  fault: (path) => `Cannot create the directory ${path}.`,
  advice: 'Give another directory.',
}

const refusals: Readonly<Record<string, Refusal>> = {
  ENOENT: { fault: describeMissing, advice: 'Check the path.' },
  EEXIST: { fault: (path) => `${path} already exists.`, advice: 'Give the name of a new file.' },
  EISDIR: { fault: (path) => `${path} is a directory.`, advice: 'Give a file.' },
  ENOTDIR: {
    fault: (path) => `Part of the path ${path} is a file, not a directory.`,
    advice: 'Check the path.',
  },
  EACCES: forbidden,
  EPERM: forbidden,
  EROFS: {
    fault: (path) => `The disk of ${path} is read-only.`,
    advice: 'Use another disk.',
  },
  ELOOP: {
    fault: (path) => `The symbolic links at ${path} form a loop.`,
    advice: 'Check the path.',
  },
  ENAMETOOLONG: {
    fault: (path) => `The file name ${path} is too long.`,
    advice: 'Give a shorter name.',
  },
  // A socket, or a device that does not exist.
  ENXIO: { fault: (path) => `${path} is not a regular file.`, advice: 'Give a file.' },
  EFBIG: {
    fault: (path) => `${path} would be larger than the file size limit.`,
    advice: 'Raise the limit, or use another disk.',
  },
  EIO: { fault: (path) => `The disk of ${path} reports an error.`, advice: 'Use another disk.' },
  ERR_FS_FILE_TOO_LARGE: {
    fault: (path) => `${path} is too large to be read at once.`,
    advice: 'Split the file.',
  },
  ENOSPC: full,
  EDQUOT: full,
}

export const systemCodes: readonly string[] = Object.keys(refusals).sort()

function describeMissing(path: string): string {
  const folder = dirname(path)
  return existsSync(folder)
    ? `The file ${path} does not exist.`
    : `The directory ${folder} does not exist.`
}
