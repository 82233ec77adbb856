import { sealLine } from './chained-line.ts'
import { journalBody } from './line-forms.ts'
import type { Change } from './staged.ts'

/** The lines of one batch, chained to `previous`. */
export function sealBatch(
  previous: string,
  batch: readonly { readonly changes: readonly Change[] }[],
): { text: string; checksum: string } {
  let checksum = previous
  let text = ''
  for (const [index, { changes }] of batch.entries()) {
    const sealed = sealLine(checksum, journalBody(changes, index === 0 ? 1 : 0))
    checksum = sealed.checksum
    text += sealed.line
  }
  return { text, checksum }
}
