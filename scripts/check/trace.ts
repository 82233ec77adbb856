// Finds the tests for each promise of the specification and for each decision. Titles of tests end
// with the ids, so nobody maintains a list of tests.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/** A promise of the specification, or a decision. */
interface Entry {
  readonly id: string
  readonly text: string
}

interface Section {
  readonly name: string
  readonly entries: readonly Entry[]
  /** Promises of other sections that this section repeats. */
  readonly see: readonly string[]
}

interface Title {
  readonly file: string
  readonly line: number
  readonly text: string
  readonly ids: readonly string[]
}

export interface Trace {
  readonly sections: readonly Section[]
  readonly titles: readonly Title[]
}

/** The content of test/specification.yaml. */
interface ListedSection {
  readonly section: string
  readonly promises: Readonly<Record<string, string>>
  readonly see?: readonly string[]
}

export function readTrace(root: string): Trace {
  const titles = ['test', 'fixtures'].flatMap((folder) => readTitles(root, folder))
  return { sections: [...readPromises(root), readDecisions(root)], titles }
}

function readPromises(root: string): Section[] {
  const listed: ListedSection[] = parse(readFileSync(join(root, 'test/specification.yaml'), 'utf8'))
  return listed.map(({ section, promises, see = [] }) => {
    const entries = Object.entries(promises).map(([id, text]) => ({ id, text }))
    return { name: section, entries, see }
  })
}

function readDecisions(root: string): Section {
  const document = readFileSync(join(root, 'DECISIONS.md'), 'utf8')
  const headings = [...document.matchAll(/^### (D\d+) (.+)$/gm)]
  const entries = headings.map(([, id = '', text = '']) => ({ id, text }))
  return { name: 'Decisions', entries, see: [] }
}

// Titles are also read from `fixtures/`, because some tests keep their long tables there.
function readTitles(root: string, folder: string): Title[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => name.endsWith('.ts')).sort()
  return files.flatMap((name) => titlesOf(root, join(folder, name)))
}

/** Matches the name of a subtest, or of a row in a table of subtests, if the name ends with ids. */
const titleWithIds =
  /(?:\.test\(|\[|\btitle:)\s*(?<quote>['"`])(?<text>(?:\\.|(?!\k<quote>)[^\\\n])*?)(?<ids>(?: \[(?:S-[\w-]+|D\d+)\])+)\k<quote>/g

function titlesOf(root: string, file: string): Title[] {
  const source = readFileSync(join(root, file), 'utf8')
  return [...source.matchAll(titleWithIds)].map(({ groups = {}, index }) => {
    const text = (groups['text'] ?? '').replaceAll(/\\(.)/g, '$1')
    const line = source.slice(0, index).split('\n').length
    return { file, line, text, ids: groups['ids']?.match(/[\w-]+/g) ?? [] }
  })
}

/** Returns a sentence for each id without a test, each unknown id and each duplicate id. */
export function findTraceFaults({ sections, titles }: Trace): string[] {
  const entries = sections.flatMap((section) => section.entries)
  const ids = new Set(entries.map(({ id }) => id))
  const tested = new Set(titles.flatMap((title) => title.ids))
  const twice = entries.filter(
    ({ id }, index) => entries.findIndex((each) => each.id === id) < index,
  )
  return [
    ...twice.map(({ id }) => `${id} exists twice.`),
    ...entries.filter(({ id }) => !tested.has(id)).map((entry) => untested(entry)),
    ...titles.flatMap((title) =>
      title.ids
        .filter((id) => !ids.has(id))
        .map((id) => `${placeOf(title)}: ${id} does not exist.`),
    ),
    ...sections.flatMap(({ name, see }) =>
      see
        .filter((id) => !ids.has(id))
        .map((id) => `"${name}" refers to ${id}, which does not exist.`),
    ),
  ]
}

const untested = ({ id, text }: Entry) => `No test has ${id} in its title: ${text}`
const placeOf = ({ file, line }: Title) => `${file}:${line}`

/**
 * Renders the whole trace in Markdown: each promise and each decision with the titles of its tests.
 */
export function renderTrace({ sections, titles }: Trace): string {
  const renderTest = (title: Title) => `  - ${title.file}: ${title.text}`
  const renderEntry = ({ id, text }: Entry) => {
    const tests = titles.filter((title) => title.ids.includes(id))
    return [`- **${id}** ${text}`, ...tests.map(renderTest)].join('\n')
  }
  const renderSection = ({ name, entries, see }: Section) =>
    [
      `## ${name}`,
      entries.map(renderEntry).join('\n'),
      ...(see.length > 0 ? [`See also ${see.join(', ')}.`] : []),
    ].join('\n\n')
  return ['# Promises, decisions and their tests', ...sections.map(renderSection)].join('\n\n')
}
