import { closeSync, existsSync, openSync, rmSync } from 'node:fs'

/** The arguments are not valid. */
export class WrongUsage extends Error {}

/**
 * Reads the arguments before anything is built or started. A wrong argument is reported in one
 * sentence.
 */
export function readArguments<Read>(read: () => Read): Read {
  try {
    return read()
  } catch (error) {
    const isOfParseArgs = String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS')
    if (!isOfParseArgs && !(error instanceof WrongUsage)) throw error
    console.error((error as Error).message.split('. ')[0]?.replace(/\.?$/, '.'))
    process.exit(2)
  }
}

export function wholeNumber(flag: string, text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text)
  throw new WrongUsage(`${flag} takes a whole number from 1, not "${text}"`)
}

export function positiveNumber(flag: string, text: string): number {
  const number = Number(text)
  if (text.trim() !== '' && Number.isFinite(number) && number > 0) return number
  throw new WrongUsage(`${flag} takes a number above 0, not "${text}"`)
}

/** A run takes minutes, so a file that cannot be written is refused first. */
export function writableFile(flag: string, file: string): string {
  const isNew = !existsSync(file)
  try {
    closeSync(openSync(file, 'a'))
  } catch (error) {
    throw new WrongUsage(`${flag} ${file} cannot be written: ${(error as Error).message}`)
  }
  if (isNew) rmSync(file)
  return file
}
