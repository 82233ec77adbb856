// Checks that texts for people contain none of the phrases that docs/style.md lists.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { findIdioms, readIdioms } from './words/idioms.ts'

const stylePage = 'docs/style.md'

const covered =
  /^(?:[\w-]+\.md|docs\/.*\.md|bench\/.*\.md|deploy\/.*|src\/contract\/[\d.]+\.yaml|(?:bin|commands|src|test|fixtures|scripts)\/.*\.ts)$/

/** Generated from files that are checked. */
const made = [
  'docs/reference/commands/',
  'src/contract/documents.ts',
  'src/contract/types.ts',
  'src/contract/reference-page.ts',
  'src/cli/serve/demo-data.ts',
]

/**
 * They show the phrases on purpose or never change: the archive of measurements, and migrations.
 */
const exempt = [
  stylePage,
  'test/words.ts',
  'bench/findings-archive.md',
  'src/adapters/postgres/migrations/',
]

const argv = ['ls-files', '--cached', '--others', '--exclude-standard']
const files = execFileSync('git', argv, { encoding: 'utf8' }).trim().split('\n')
const idioms = readIdioms(readFileSync(stylePage, 'utf8'))
if (idioms.length === 0) throw new Error(`${stylePage} has no table of phrases.`)

const isLeftOut = (file: string) => [...made, ...exempt].some((path) => file.startsWith(path))

for (const file of files.filter((path) => covered.test(path) && !isLeftOut(path)))
  for (const { line, words, better } of findIdioms(file, readFileSync(file, 'utf8'), idioms)) {
    console.error(`${file}:${line}: "${words}". Write: ${better}.`)
    process.exitCode = 1
  }
