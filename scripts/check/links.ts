// Checks that documents lead somewhere.
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { listFiles } from './words.ts'

const withoutCode = (text: string) =>
  text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, 'code')

/** Returns the anchor of a heading on GitHub. */
function anchorOf(heading: string): string {
  const letters = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
  return letters.trim().replaceAll(/\s/g, '-')
}

function anchorsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '')
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))
}

function deadLinksOf(document: string, files: readonly string[]): string[] {
  const text = withoutCode(readFileSync(document, 'utf8'))
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  return links.filter((link) => !/^\w+:/.test(link) && !leads(document, link, files))
}

function leads(document: string, link: string, files: readonly string[]): boolean {
  const [path = '', anchor] = link.split('#')
  const file = path === '' ? document : normalize(join(dirname(document), path))
  if (anchor !== undefined) return files.includes(file) && anchorsOf(file).includes(anchor)
  return files.some((each) => each === file || each.startsWith(join(file, '/')))
}

/**
 * Finds source files that a document names, by a whole path or the end of a path, and that do not
 * exist.
 */
function missingSourcesOf(document: string, files: readonly string[]): string[] {
  const text = readFileSync(document, 'utf8')
  const named = [...text.matchAll(/`([\w./-]+\.ts)`/g)].map(([, source = '']) => source)
  return named.filter((source) => !files.some((file) => `/${file}`.endsWith(`/${source}`)))
}

/**
 * Finds relative links in documents whose file is not in git or whose heading does not exist. Also
 * finds source files that documents name but that do not exist.
 */
export function findDeadLinks(): string[] {
  const files = listFiles()
  return files
    .filter((file) => file.endsWith('.md'))
    .flatMap((document) => [
      ...missingSourcesOf(document, files).map((source) => `${document}: there is no ${source}.`),
      ...deadLinksOf(document, files).map((link) => `${document}: ${link} leads nowhere.`),
    ])
}
