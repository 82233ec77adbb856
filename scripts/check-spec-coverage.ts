// Every promise in test/SPEC-COVERAGE.md and every choice in DECISIONS.md names tests; their files and titles have to be there.
import { existsSync, readFileSync } from 'node:fs'

interface Reference {
  readonly where: string
  readonly file: string
  /** Undefined where the whole file is meant. */
  readonly title?: string | undefined
}

interface TableRow {
  readonly where: string
  readonly cells: readonly string[]
}

/** Without the heads of tables and the lines below them. */
function tableRowsOf(document: string): TableRow[] {
  const lines = readFileSync(document, 'utf8').split('\n')
  return lines.flatMap((line, index) => {
    const isRow = line.startsWith('| ') && !lines[index + 1]?.startsWith('|---')
    const cells = line.split(/(?<!\\)\|/).slice(1, -1)
    const texts = cells.map((cell) => cell.trim().replaceAll('\\|', '|'))
    return isRow ? [{ where: `${document}:${index + 1}`, cells: texts }] : []
  })
}

/** Rows look like `| promise | test/file.ts | title |`. */
function promisesOf(document: string): Reference[] {
  return tableRowsOf(document).map(({ where, cells: [, file = '', title = ''] }) => {
    return { where, file, title }
  })
}

/** The last cell looks like `test/file.ts: title · test/other.ts`, or is a dash where no test can tell. */
function choicesOf(document: string): Reference[] {
  return tableRowsOf(document).flatMap(({ where, cells }) => {
    const tests = cells.at(-1) ?? ''
    if (tests === '—') return []
    return tests.split(' · ').map((test) => {
      const [, file = test, title] = /^(\S+): (.+)$/.exec(test) ?? []
      return { where, file, title }
    })
  })
}

function faultOf({ file, title }: Reference): string | undefined {
  // Long tables of a test stand among the fixtures.
  if (!/^(test|fixtures)\//.test(file) || !existsSync(file)) return `there is no test "${file}"`
  // Titles stand in the source as strings, where a quote may be escaped.
  const source = readFileSync(file, 'utf8').replaceAll("\\'", "'")
  const isThere = title === undefined || (title !== '' && isTitleIn(source, title))
  return isThere ? undefined : `${file} has no title "${title}"`
}

/** A whole string that names a subtest, or a row in the table of one; not one that stands anywhere else. */
function isTitleIn(source: string, title: string): boolean {
  const literal = `(?<quote>['"\`])${title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\k<quote>`
  return new RegExp(`(?:\\.test\\(|\\[|title:)\\s*${literal}`).test(source)
}

const promises = promisesOf('test/SPEC-COVERAGE.md')
const choices = choicesOf('DECISIONS.md')
const faults = [...promises, ...choices].flatMap((reference) => {
  const fault = faultOf(reference)
  return fault ? [`${reference.where}: ${fault}`] : []
})
if (promises.length === 0) faults.push('test/SPEC-COVERAGE.md lists nothing.')
for (const fault of faults) console.error(fault)
if (faults.length === 0) {
  console.log(`${promises.length} promises and ${choices.length} tests of choices are there.`)
}
process.exitCode = faults.length === 0 ? 0 : 1
