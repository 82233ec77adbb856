// Every promise in test/SPEC-COVERAGE.md names a test file and a title; both have to be there.
import { existsSync, readFileSync } from 'node:fs'

const list = 'test/SPEC-COVERAGE.md'

interface Row {
  readonly line: number
  readonly file: string
  readonly title: string
}

/** Rows look like `| promise | test/file.ts | title |`. */
function rowsOf(markdown: string): Row[] {
  return markdown.split('\n').flatMap((text, index) => {
    const cells = text.split(/(?<!\\)\|/).map((cell) => cell.trim())
    const [, , file = '', title = ''] = cells
    const isRow = cells.length > 3 && !/^-*$|^Test file$/.test(file)
    return isRow ? [{ line: index + 1, file, title: title.replaceAll('\\|', '|') }] : []
  })
}

function faultOf({ file, title }: Row): string | undefined {
  if (!existsSync(file)) return `there is no file ${file}`
  // Titles stand in the source as strings, where a quote may be escaped.
  const source = readFileSync(file, 'utf8').replaceAll("\\'", "'")
  return isTitleIn(source, title) ? undefined : `${file} has no title "${title}"`
}

/** A whole string that names a subtest, or a row in the table of one; not one that stands anywhere else. */
function isTitleIn(source: string, title: string): boolean {
  const literal = `(?<quote>['"\`])${title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\k<quote>`
  return new RegExp(`(?:\\.test\\(|\\[|title:)\\s*${literal}`).test(source)
}

const rows = rowsOf(readFileSync(list, 'utf8'))
const faults = rows.flatMap((row) => {
  const fault = faultOf(row)
  return fault ? [`${list}:${row.line}: ${fault}`] : []
})
for (const fault of faults) console.error(fault)
if (rows.length === 0) console.error(`${list} lists nothing.`)
else if (faults.length === 0) console.log(`${rows.length} promises, each with its test.`)
process.exitCode = rows.length > 0 && faults.length === 0 ? 0 : 1
