import { createReadStream } from 'node:fs'
import { relative, sep } from 'node:path'
import { describeOtherFile } from '../../domain/file-kind.ts'
import { Problem } from '../../domain/problem.ts'
import type { ProblemCode } from '../../domain/problem-code.ts'
import { decodeWindowsText } from './windows-text.ts'

/** Whether a path is below the directory, or the directory itself. */
export function isWithin(directory: string, path: string): boolean {
  return relative(directory, path).split(sep)[0] !== '..'
}

/** Errors of an open file or of a directory do not contain its path. */
export function rethrowWithPath(path: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    throw Object.assign(error, { path })
  }
}

/** Returns undefined if there are more bytes, and does not read them. */
export async function readAtMost(
  stream: AsyncIterable<Uint8Array>,
  maximumBytes: number,
): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    length += chunk.length
    if (length > maximumBytes) return undefined
  }
  return Buffer.concat(chunks)
}

/** `-` is standard input. */
export async function readText(file: string): Promise<string> {
  return decodeText(file, await readWhole(file))
}

/** @param options.orWindows whether a program that people use saves such files in Windows-1252 */
export function decodeText(
  file: string,
  bytes: Uint8Array,
  { orWindows = false, howToSave = 'save it with the encoding UTF-8' } = {},
): string {
  const otherKind = bytes.length > 0 && describeOtherFile(bytes)
  if (otherKind) throw fileProblem([`${file}: ${otherKind}`])
  const text = decode(bytes) ?? (orWindows ? decodeWindowsText(bytes) : undefined)
  if (text !== undefined && !text.includes('\0')) return text
  throw fileProblem([`${file}: is not UTF-8 text: ${howToSave}`])
}

/** Refuses a file that is too large to be kept in memory. */
export async function readWhole(file: string): Promise<Buffer> {
  const stream = file === '-' ? process.stdin : createReadStream(file)
  const bytes = await readAtMost(stream, largestInput).catch(rethrowWithPath(file))
  if (bytes) return bytes
  throw tooLarge(`${file} is larger than ${largestInputText}`)
}

/** The maximum for one file, and for the sum of all files and images of a command. */
export const largestInput = 128 * 1024 * 1024
const largestInputText = '128 MiB'

export function tooLarge(what = `Together the files are larger than ${largestInputText}`): Problem {
  return new Problem(
    'PAYLOAD_TOO_LARGE',
    `${what}, the maximum for one command. Nothing was changed. Split the data, and apply cooperatives first.`,
  )
}

/** UTF-8, or UTF-16 with its mark. */
function decode(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes
  const isLittle = first === 0xff && second === 0xfe
  const isBig = first === 0xfe && second === 0xff
  const encoding = isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const shownFaults = 20

/** @param isStopped whether the search stopped early, so that there may be more faults */
export function fileProblem(
  faults: readonly string[],
  code: ProblemCode = 'VALIDATION_ERROR',
  { isStopped = false } = {},
): Problem {
  const shown = faults.slice(0, shownFaults)
  const rest = faults.length - shown.length
  const more = `... and ${isStopped ? 'at least ' : ''}${rest} more`
  return new Problem(code, [...shown, ...(rest > 0 ? [more] : [])].join('\n'))
}
