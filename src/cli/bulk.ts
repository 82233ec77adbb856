import { array, string, type, validate } from 'superstruct'
import { invalid } from '../config/common-flags.ts'
import { Problem } from '../domain/problem.ts'
import { exitCodes } from './error-codes.ts'
import { exitCodeOf } from './errors.ts'

export interface BulkFailure {
  readonly id: string
  readonly problem: Error
}

export type BulkResult<Result> = BulkFailure | { readonly id: string; readonly result: Result }

interface BulkAction<Result> {
  readonly act: (id: string) => Promise<Result>
  readonly onTried?: (tried: BulkResult<Result>) => void
  /** Reports outages and faults for each id instead of throwing, which would lose the results of other ids. */
  readonly throughFaults?: boolean
}

export function isBulkFailure(tried: BulkResult<unknown>): tried is BulkFailure {
  return 'problem' in tried
}

/** Writes that wait at the same time share one sync of the disk. */
const width = 16

/** Ids that differ only in case are the same. */
export function distinctIds(ids: readonly string[]): readonly string[] {
  const found = new Map<string, string>()
  for (const id of ids) found.set(id.toLowerCase(), found.get(id.toLowerCase()) ?? id)
  return [...found.values()]
}

/** A refusal of one id does not stop the others. */
export async function runBulk<Result>(
  ids: readonly string[],
  attempt: BulkAction<Result>,
): Promise<BulkResult<Result>[]> {
  const tried: BulkResult<Result>[] = []
  for (let start = 0; start < ids.length; start += width) {
    const batch = ids.slice(start, start + width)
    for (const each of await Promise.all(batch.map((id) => tryOne(id, attempt)))) {
      tried.push(each)
      attempt.onTried?.(each)
    }
  }
  return tried
}

/**
 * Unreachable takes precedence over refused, and refused over not found: somebody has to look into the problems in this
 * order.
 */
export function exitCodeOfAll(tried: readonly BulkResult<unknown>[]): number {
  const codes = tried.map((each) => (isBulkFailure(each) ? exitCodeOf(each.problem) : 0))
  return Math.max(0, ...codes)
}

async function tryOne<Result>(
  id: string,
  { act, throughFaults = false }: BulkAction<Result>,
): Promise<BulkResult<Result>> {
  try {
    return { id, result: await act(id) }
  } catch (error) {
    if (error instanceof Error && (throughFaults ? !isAboutCaller(error) : isAboutOneId(error)))
      return { id, problem: error }
    throw error
  }
}

/** Every other id would be refused, too. */
function isAboutCaller(error: Error): boolean {
  return error instanceof Problem && error.code === 'UNAUTHENTICATED'
}

function isAboutOneId(error: Error): boolean {
  const code = exitCodeOf(error)
  return error instanceof Problem && (code === exitCodes.notFound || code === exitCodes.refused)
}

/** The ids of share purchases on standard input. Also accepts the output of `purchase list`, in any format. */
export async function readIds(): Promise<readonly string[]> {
  if (process.stdin.isTTY) throw invalid('With - the ids are read from standard input. Use | or <.')
  const { readText } = await import('./files/read-file.ts')
  const text = (await readText('-')).trim()
  if (text.startsWith('[')) return readRows(text)
  const lines = text.split('\n')
  requireIdsFirst(lines[0] ?? '')
  return lines.flatMap((line) => {
    const [first = ''] = wordsOf(line)
    if (first.startsWith('{')) return readRows(`[${line}]`)
    return first === '' || headings.has(first) ? [] : [first]
  })
}

function wordsOf(line: string): string[] {
  const text = line.trim()
  return text.startsWith('{') ? [text] : text.replaceAll('"', '').split(/[\s,;]+/)
}

/** If another column came first, a bulk decision would use its values as ids. */
function requireIdsFirst(line: string): void {
  const position = wordsOf(line).findIndex((word) => headings.has(word))
  if (position > 0)
    throw invalid('The ids must be in the first column: begin --columns with share_purchase_id.')
}

const headings = new Set(['ID', 'share_purchase_id'])

function readRows(text: string): readonly string[] {
  const [failure, rows] = validate(parseJson(text), array(type({ share_purchase_id: string() })))
  if (failure) throw invalid('Standard input has a row without a share_purchase_id.')
  return rows.map((row) => row.share_purchase_id)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('A row on standard input is not valid JSON.')
  }
}
