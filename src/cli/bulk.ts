import { array, string, type, validate } from 'superstruct'
import { invalid } from '../config/common-flags.ts'
import { isFailed, type Tried } from '../operations/bulk/try-each.ts'
import { exitCodeOf } from './errors.ts'

/**
 * Unreachable takes precedence over refused, and refused over not found: somebody has to look into the problems in this
 * order.
 */
export function exitCodeOfAll(tried: readonly Tried<unknown>[]): number {
  const codes = tried.map((each) => (isFailed(each) ? exitCodeOf(each.problem) : 0))
  return Math.max(0, ...codes)
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
