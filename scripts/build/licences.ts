import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'

const packageOfPath = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/
const licenceFile = /^(?:licen[cs]e|copying|notice|unlicense)/i
const rule = '='.repeat(80)

/** The heading of a part, which stands between two rules. */
export const headingOf = (name: string, version: string) => `${name} ${version}`

/**
 * Renders the licences of all packages in a bundle, each once, in the order of their names.
 * @param files the files of the bundle, as paths from the root of the project
 * @param notices notices in the files themselves
 */
export function renderLegal(files: readonly string[], notices: string): string {
  const folders = files.flatMap((file) => packageOfPath.exec(file)?.[0] ?? [])
  return [
    'The licences of all packages in coopshare.\n',
    renderPackages(folders),
    renderPart('Notices in the files of these packages', notices),
  ].join('\n')
}

/** Renders the licences of packages, each once, in the order of their names. */
export function renderPackages(folders: readonly string[]): string {
  return [...new Set(folders.map(renderPackage))].sort().join('\n')
}

/** The folders of the packages in what the bundler wrote, as paths from the root of the project. */
export function foldersOf({ outputs }: Metafile): readonly string[] {
  const files = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs))
  const folders = files.flatMap((file) => packageOfPath.exec(file)?.[0] ?? [])
  return [...new Set(folders)].sort()
}

/**
 * Adds the licence of Node, which is in the executable. That licence includes the licences of
 * everything in Node.
 */
export function addNodeLicences(
  legal: string,
  { version, licence }: { readonly version: string; readonly licence: string },
): string {
  return `${legal}\n${renderPart(headingOf('Node', version), readFileSync(licence, 'utf8'))}`
}

function renderPart(heading: string, text: string): string {
  return `${rule}\n${heading}\n${rule}\n\n${text.trim()}\n`
}

function renderPackage(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return renderPart(headingOf(name, version), textOf(name, folder, license))
}

/** Returns the text of a licence, or its name if the package has no text. */
function textOf(name: string, folder: string, license: string | undefined): string {
  const names = readdirSync(folder).filter(isLicence).sort()
  const texts = names.map((name) => readFileSync(join(folder, name), 'utf8').trim())
  if (license !== undefined) texts.unshift(`Licence: ${license}`)
  if (texts.length === 0) throw new Error(`${name} does not say which licence it has.`)
  return texts.join('\n\n')
}

const isLicence = (name: string) => licenceFile.test(name)
