// A process for each test file would spend most of its time on starting: files of one folder share one, and follow one another.
import { writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

/** Bundled test files that run in one process. */
export interface TestGroup {
  readonly name: string
  readonly files: readonly string[]
}

// Few enough that the last process does not run alone for long.
const mostFiles = 12

// They start processes of their own, or set variables for all that runs in theirs.
const alone = ['test/end-to-end', 'test/commands']

/** @returns groups of files from one folder of `directory`, those first that take longest */
export function groupTests(directory: string, files: readonly string[]): TestGroup[] {
  const folders = new Map<string, string[]>()
  for (const file of files) {
    const path = relative(dirname(directory), file)
    const folder = dirname(path).split('/').slice(0, 2).join('/')
    folders.set(folder, [...(folders.get(folder) ?? []), file])
  }
  const separate = alone.flatMap((folder) => folders.get(folder) ?? [])
  const shared = [...folders].filter(([folder]) => !alone.includes(folder))
  return [
    ...separate.map((file) => ({ name: file, files: [file] })),
    ...shared.flatMap(([folder, inFolder]) => split(folder, inFolder)),
  ]
}

function split(folder: string, files: readonly string[]): TestGroup[] {
  const parts = Math.ceil(files.length / mostFiles)
  return Array.from({ length: parts }, (_, part) => ({
    name: parts === 1 ? `all of ${folder}` : `all of ${folder}, part ${part + 1}`,
    files: files.filter((_, index) => index % parts === part),
  }))
}

/**
 * @param preparation what to do before the first file
 * @returns a module in `directory` that runs the group
 */
export async function enterGroup(directory: string, { name, files }: TestGroup, preparation = '') {
  const [first = '', ...others] = files
  if (others.length === 0 && !preparation) return first
  const entry = join(directory, `${name.replace(/\W+/g, '-')}.js`)
  const runs = files.map((file) => runFile(relative(directory, file)))
  const lines = [
    "import t from 'tap'",
    "import { enterSuite } from '../fixtures/suite.js'",
    preparation,
    ...runs,
  ]
  await writeFile(entry, `${lines.join('\n')}\n`)
  return entry
}

function runFile(path: string): string {
  return `await t.test('${path}', async (suite) => {
  enterSuite(suite)
  await import('./${path}')
})`
}
