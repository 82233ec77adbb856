// Checks prose for phrases that docs/style.md lists.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import ts from 'typescript'

const stylePage = 'docs/style.md'

const covered =
  /^(?:[\w-]+\.md|docs\/.*\.md|bench\/.*\.md|deploy\/.*|src\/contract\/[\d.]+\.yaml|(?:bin|commands|src|test|fixtures|scripts|sim)\/.*\.ts)$/

/** These are generated from files that are checked. */
const made = [
  'docs/reference/commands/',
  'src/contract/documents.ts',
  'src/contract/types.ts',
  'src/contract/reference-page.ts',
  'src/cli/serve/demo-data.ts',
  'src/http/guide/pages.ts',
  'src/http/look/files.ts',
  'src/http/console/look/files.ts',
]

/** These show the phrases on purpose or never change, such as migrations. */
const exempt = [stylePage, 'test/words.ts', 'src/adapters/postgres/migrations/']

/** Finds phrases that docs/style.md lists in texts for people. */
export function findPhrases(): string[] {
  const idioms = readIdioms(readFileSync(stylePage, 'utf8'))
  if (idioms.length === 0) throw new Error(`${stylePage} has no table of phrases.`)
  return listFiles()
    .filter((file) => covered.test(file) && !isLeftOut(file))
    .flatMap((file) =>
      findIdioms(file, readFileSync(file, 'utf8'), idioms).map(
        ({ line, words, better }) => `${file}:${line}: "${words}". Write: ${better}.`,
      ),
    )
}

function isLeftOut(file: string): boolean {
  return [...made, ...exempt].some((path) => file.startsWith(path))
}

export function listFiles(): string[] {
  const argv = ['ls-files', '--cached', '--others', '--exclude-standard']
  return execFileSync('git', argv, { encoding: 'utf8' }).trim().split('\n')
}

interface Idiom {
  readonly pattern: RegExp
  readonly better: string
  readonly fine: RegExp | undefined
}

interface Finding {
  readonly line: number
  readonly words: string
  readonly better: string
}

const heading = '\n## What the check finds\n'

/** Two words may have a line break between them. */
const gap = String.raw`[^\S\n]*\s[^\S\n]*`

function patternOf(phrases: string): RegExp | undefined {
  const forms = phrases.split(',').flatMap((phrase) => {
    const words = phrase.trim().split(/\s+/)
    return words[0] ? [words.map(formOf).join(gap)] : []
  })
  return forms.length === 0
    ? undefined
    : new RegExp(String.raw`(?<![\w-])(?:${forms.join('|')})`, 'gi')
}

const formOf = (word: string) =>
  word.endsWith('…') ? String.raw`${word.slice(0, -1)}\w*\b` : String.raw`${word}\b`

export function readIdioms(stylePage: string): Idiom[] {
  const [, section = ''] = stylePage.split(heading)
  const rows = [...section.matchAll(/^\| (?!Not \|)(.+?) \| (.+?) \| ?(.*?) ?\|$/gm)]
  return rows.flatMap(([, phrases = '', better = '', fine = '']) => {
    const pattern = patternOf(phrases)
    return pattern ? [{ pattern, better, fine: patternOf(fine) }] : []
  })
}

/**
 * This search is a hundred times faster than parsing, and most files contain none of the phrases.
 */
function findSuspected(text: string, idioms: readonly Idiom[]): readonly Idiom[] {
  const withoutMarks = text.replaceAll(/[/*]/g, ' ')
  return idioms.filter(({ pattern }) => withoutMarks.search(pattern) >= 0)
}

export function findIdioms(file: string, text: string, idioms: readonly Idiom[]): Finding[] {
  const suspected = findSuspected(text, idioms)
  if (suspected.length === 0) return []
  const prose = file.endsWith('.ts') ? proseOfTypeScript(text) : proseOfMarkdown(text)
  const found = suspected.flatMap(({ pattern, better, fine }) => {
    const fineAt = fine ? [...prose.matchAll(fine)] : []
    const isFine = (at: number) =>
      fineAt.some(({ index, 0: words }) => index <= at && at < index + words.length)
    return [...prose.matchAll(pattern)]
      .filter(({ index }) => !isFine(index))
      .map(({ index, 0: words }) => {
        return { index, words: words.replaceAll(/\s+/g, ' '), better }
      })
  })
  return found
    .sort((a, b) => a.index - b.index)
    .map(({ index, ...finding }) => ({
      line: prose.slice(0, index).split('\n').length,
      ...finding,
    }))
}

interface Passage {
  readonly pos: number
  readonly text: string
}

const blank = (text: string) => text.replaceAll(/[^\n]/g, ' ')

// Matches code blocks, indented blocks, inline code and link targets.
const code = [
  /^[^\S\n]*```[\s\S]*?^[^\S\n]*```$/gm,
  /(?<=^\n)(?: {4}.*\n|\n)+/gm,
  /`[^`\n]*`/g,
  /(?<=\])\([^)\s]*\)/g,
  /<https?:[^>]*>/g,
]

function proseOfMarkdown(text: string): string {
  return code.reduce((prose, pattern) => prose.replaceAll(pattern, blank), text)
}

/** Keeps comments and strings with a space. Strings without a space are names. */
function proseOfTypeScript(text: string): string {
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true)
  const passages = passagesOf(source, source).sort((a, b) => a.pos - b.pos)
  let prose = ''
  for (const passage of passages)
    if (passage.pos >= prose.length)
      prose += blank(text.slice(prose.length, passage.pos)) + passage.text
  return prose + blank(text.slice(prose.length))
}

function passagesOf(node: ts.Node, source: ts.SourceFile): Passage[] {
  const isText = ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)
  if (isText && /\s/.test(node.text)) return [{ pos: node.getStart(), text: node.getText() }]
  const children = node.getChildren(source)
  if (children.length === 0) return commentsAt(node, source.text)
  return children.flatMap((child) => passagesOf(child, source))
}

function commentsAt(token: ts.Node, text: string): Passage[] {
  const ranges = [
    ...(ts.getLeadingCommentRanges(text, token.pos) ?? []),
    ...(ts.getTrailingCommentRanges(text, token.end) ?? []),
  ]
  return ranges.map(({ pos, end }) => {
    const words = text.slice(pos, end).replaceAll(/\/\/|\/?\*+\/?|`[^`\n]*`/g, blank)
    return { pos, text: words }
  })
}
