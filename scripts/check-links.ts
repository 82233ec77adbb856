// Checks that relative links in the documents lead to files in git and to existing headings, and
// that the source files that they name exist.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const argv = ['ls-files', '--cached', '--others', '--exclude-standard']
const files = execFileSync('git', argv, { encoding: 'utf8' }).trim().split('\n')
const documents = files.filter((file) => file.endsWith('.md'))

const withoutCode = (text: string) =>
  text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, 'code')

/** The anchor of a heading on GitHub. */
function anchorOf(heading: string): string {
  const letters = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
  return letters.trim().replaceAll(/\s/g, '-')
}

function anchorsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '')
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))
}

function faultsOf(document: string): string[] {
  const text = withoutCode(readFileSync(document, 'utf8'))
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  return links.filter((link) => !/^\w+:/.test(link) && !leads(document, link))
}

function leads(document: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const file = path === '' ? document : normalize(join(dirname(document), path))
  if (anchor !== undefined) return files.includes(file) && anchorsOf(file).includes(anchor)
  return files.some((each) => each === file || each.startsWith(join(file, '/')))
}

/** The archive names files as they were then. */
const archive = 'bench/findings-archive.md'

/** Documents name source files by whole paths or by ends of paths. */
function missingSourcesOf(document: string): string[] {
  if (document === archive) return []
  const text = readFileSync(document, 'utf8')
  const named = [...text.matchAll(/`([\w./-]+\.ts)`/g)].map(([, source = '']) => source)
  return named.filter((source) => !files.some((file) => `/${file}`.endsWith(`/${source}`)))
}

for (const document of documents) {
  for (const source of missingSourcesOf(document)) {
    console.error(`${document}: there is no ${source}.`)
    process.exitCode = 1
  }
  for (const link of faultsOf(document)) {
    console.error(`${document}: ${link} leads nowhere.`)
    process.exitCode = 1
  }
}
