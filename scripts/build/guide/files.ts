// Which files are in the guide for partners. A build reads them to find out whether one has changed,
// so this module needs no library.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

interface Section {
  readonly title: string
  readonly folder: string
  /** Every page of the folder is in the guide. Of other folders, it is what these pages link to. */
  readonly isWhole?: true
}

/** In the sequence of the table of contents. */
export const sections: readonly Section[] = [
  { title: 'Your first hour', folder: 'docs/start', isWhole: true },
  { title: 'Integration', folder: 'docs/partners', isWhole: true },
  { title: 'Concepts', folder: 'docs/concepts', isWhole: true },
  { title: 'Reference', folder: 'docs/reference' },
  { title: 'Installation', folder: 'docs/deploy' },
  { title: 'Examples', folder: 'examples' },
]

/** Names the pages in their sequence. */
export const listOfDocuments = 'docs/README.md'

/** All files from which the guide is made, as paths from the root of the project. */
export function listGuideFiles(root = '.'): readonly string[] {
  const pages = sections
    .filter(({ isWhole }) => isWhole)
    .flatMap(({ folder }) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((path) => path.endsWith('.md'))
  const linked = pages
    .flatMap((page) =>
      linksOf(readFileSync(join(root, page), 'utf8')).map((link) => targetOf(page, link).file),
    )
    .filter((file) => sections.some(({ folder }) => file.startsWith(`${folder}/`)))
    .filter((file) => existsSync(join(root, file)) && statSync(join(root, file)).isFile())
  return [...new Set([...pages, ...linked, listOfDocuments])].sort()
}

/** Returns the links and pictures of a document that lead to files or headings. */
export function linksOf(document: string): string[] {
  const text = document.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, 'code')
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  return links.filter((link) => !isAddress(link))
}

export const isAddress = (link: string) => /^\w+:/.test(link)

/** Returns where a link of a document leads, as a path from the root of the project. */
export function targetOf(document: string, link: string) {
  const [path = '', anchor] = link.split('#')
  const file = path === '' ? document : normalize(join(dirname(document), path))
  return { file, anchor }
}

/** Returns the anchor of a heading, the same as on GitHub. */
export function anchorOf(heading: string): string {
  const letters = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
  return letters.trim().replaceAll(/\s/g, '-')
}
