// Checks that documents lead somewhere.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { anchorOf, linksOf, targetOf } from '../build/guide/files.ts'
import { listFiles } from './words.ts'

function anchorsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '')
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))
}

function deadLinksOf(document: string, files: readonly string[]): string[] {
  return linksOf(readFileSync(document, 'utf8')).filter((link) => !leads(document, link, files))
}

function leads(document: string, link: string, files: readonly string[]): boolean {
  const { file, anchor } = targetOf(document, link)
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
