import { resolve } from 'node:path'
import { Flags, type Interfaces } from '@oclif/core'
import { parseDuration } from '../domain/timestamp.ts'
import { backupGroup, invalid, parseDirectory } from './common-flags.ts'

const longestMs = 31 * 24 * 60 * 60 * 1000

export const backupFlags = {
  'backup-every': Flags.custom<number>({
    helpGroup: backupGroup,
    helpValue: 'TIME',
    parse: async (text) => {
      const ms = parseDuration(text) ?? 0
      if (ms >= 1000 && ms <= longestMs) return ms
      throw invalid(`--backup-every must be a time from 1s to 31d, for example 6h, not "${text}".`)
    },
    description: 'Write a backup at this interval, such as 6h.',
  })(),
  'backup-keep': Flags.integer({
    helpGroup: backupGroup,
    helpValue: 'N',
    default: 14,
    min: 1,
    max: 10_000,
    description: 'Number of newest backups to keep.',
  }),
  'backup-dir': Flags.string({
    helpGroup: backupGroup,
    helpValue: 'DIR',
    parse: async (text) => parseDirectory('backup-dir', text),
    description: 'Directory for backups, ideally on another disk.',
  }),
}

/** Backups that the service itself makes at regular times. */
export interface BackupConfig {
  readonly everyMs: number
  readonly keep: number
  readonly directory: string
}

type BackupFlags = Interfaces.InferredFlags<typeof backupFlags>

export function backupConfigOf(flags: BackupFlags): BackupConfig | undefined {
  const { 'backup-every': everyMs, 'backup-dir': directory, 'backup-keep': keep } = flags
  if (everyMs === undefined && directory === undefined) return undefined
  if (everyMs === undefined || directory === undefined)
    throw invalid('Give --backup-every and --backup-dir together.')
  return { everyMs, keep, directory: resolve(directory) }
}
