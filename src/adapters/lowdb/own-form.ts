import { madeByNewer } from '../newer-form.ts'
import { openLine } from './chained-line.ts'
import { formatVersion } from './line-forms.ts'
import type { Line } from './read-lines.ts'

const header = /^(.*"format":"coopshare-(?:journal|snapshot)","version":)(\d+)/

/**
 * Of the first line of a file that does not fit its checksum: a newer form may have another kind of checksum. A line that
 * fits with our own number in its place was damaged in that number.
 */
export function requireOwnForm(name: string, { number, bytes }: Line, previous: string): void {
  if (number !== 1) return
  const text = bytes.toString('utf8')
  const found = header.exec(text)
  if (!found || Number(found[2]) <= formatVersion) return
  const own = Buffer.from(text.replace(header, `$1${formatVersion}`))
  if (!openLine(previous, own)) throw madeByNewer(name)
}
