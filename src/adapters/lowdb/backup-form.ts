import { Problem } from '../../domain/problem.ts'

export const backupFormat = 'coopshare-backup'

/** The first line of a backup. The files follow one after the other, then the footer. */
export interface BackupHeader {
  readonly format: string
  readonly version: number
  readonly files: readonly { readonly name: string; readonly bytes: number }[]
}

/** `digest` is SHA-256 in hexadecimal of all that stands before the footer. */
export function backupFooter(digest: string): string {
  return `{"sha256":"${digest}"}\n`
}

export const backupFooterBytes = backupFooter('0'.repeat(64)).length

/** @param name its path, or where it comes from */
export function damagedBackup(name: string, what: string, cause?: unknown): Problem {
  return new Problem(
    'STORE_DAMAGED',
    `The backup ${name} is damaged: ${what} Nothing was written. Use another one.`,
    { cause },
  )
}
