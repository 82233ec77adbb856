import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pageFolder, readPageNames } from './page-packages.ts'
import { headingInPage, headingOf } from './render-legal.ts'

// The bundler says above each part, or as the name of a function, which file it comes from.
const origin = /^(?:\/\/ |\s*")(.*node_modules\/(?:@[^/]+\/)?[^/"]+)\//gm

/** @returns packages in the text of a bundle whose licences are not among those beside it */
export function findLegalFaults(bundle: string, legal: string): string[] {
  const headings = new Set(legal.split('\n'))
  const folders = new Set([...bundle.matchAll(origin)].map(([, folder = '']) => folder))
  if (folders.size === 0) return ['The bundle does not say what it is made of.']
  // The script of redoc is in the bundle as text, which names no file.
  const headingsOfPage = [readHeading(pageFolder), ...readPageNames().map(headingInPage)]
  const needed = new Set([...[...folders].map(readHeading), ...headingsOfPage])
  return [...needed]
    .filter((heading) => !headings.has(heading))
    .map((heading) => `The licence of ${heading} is missing in LEGAL.txt: npm run build.`)
}

function readHeading(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return headingOf(name, version)
}
