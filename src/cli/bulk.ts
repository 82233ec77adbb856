import { array, string, type, validate } from 'superstruct'
import { invalid } from '../config/common-flags.ts'
import { Problem } from '../domain/problem.ts'
import { exitCodes } from './error-codes.ts'
import { exitCodeOf } from './errors.ts'

export interface BulkResult<Result> {
  readonly id: string
  readonly outcome: { readonly result: Result } | { readonly problem: Problem }
}

export interface BulkAction<Result> {
  readonly act: (id: string) => Promise<Result>
  readonly onTried?: (tried: BulkResult<Result>) => void
  /** Reports an outage for each id instead of throwing, which would lose the results of earlier ids. */
  readonly throughOutages?: boolean
}

export interface BulkFailure extends BulkResult<never> {
  readonly outcome: { readonly problem: Problem }
}

export function isBulkFailure(tried: BulkResult<unknown>): tried is BulkFailure {
  return 'problem' in tried.outcome
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
    const settled = await Promise.allSettled(batch.map((id) => tryOne(id, attempt)))
    for (const each of settled) {
      if (each.status === 'rejected') continue
      tried.push(each.value)
      attempt.onTried?.(each.value)
    }
    for (const each of settled) if (each.status === 'rejected') throw each.reason
  }
  return tried
}

/**
 * Unreachable takes precedence over refused, and refused over not found: somebody has to look into the problems in this
 * order.
 */
export function exitCodeOfAll(tried: readonly BulkResult<unknown>[]): number {
  const codes = tried.map(({ outcome }) => ('problem' in outcome ? exitCodeOf(outcome.problem) : 0))
  return Math.max(0, ...codes)
}

async function tryOne<Result>(
  id: string,
  { act, throughOutages = false }: BulkAction<Result>,
): Promise<BulkResult<Result>> {
  try {
    return { id, outcome: { result: await act(id) } }
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem
    const isOutage = problem.code === 'SERVICE_UNAVAILABLE'
    if (isAboutOneId(problem) || (throughOutages && isOutage)) return { id, outcome: { problem } }
    throw problem
  }
}

function isAboutOneId(problem: Problem): boolean {
  const code = exitCodeOf(problem)
  return code === exitCodes.notFound || code === exitCodes.refused
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
