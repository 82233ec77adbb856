import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packages } from '../../src/contract/reference-page.ts'
import { headingOf } from '../build/licences.ts'

// The bundler names the source file above each part, or as the name of a function.
const origin = /^(?:\/\/ |\s*")(.*node_modules\/(?:@[^/]+\/)?[^/"]+)\//gm

/** @returns packages in a bundle whose licences are missing in the file beside it */
export function findLegalFaults(bundle: string, legal: string): string[] {
  const headings = new Set(legal.split('\n'))
  const folders = new Set([...bundle.matchAll(origin)].map(([, folder = '']) => folder))
  if (folders.size === 0) return ['The bundle does not name the files from which it was made.']
  // The bundle contains the reference page as a text, so the bundler names none of its files.
  const needed = new Set([...folders, ...packages].map(readHeading))
  return [...needed]
    .filter((heading) => !headings.has(heading))
    .map((heading) => `The licence of ${heading} is missing in LEGAL.txt. Run \`npm run build\`.`)
}

function readHeading(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return headingOf(name, version)
}
