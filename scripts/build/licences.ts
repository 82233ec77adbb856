import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const packageOfPath = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/
const licenceFile = /^(?:licen[cs]e|copying|notice|unlicense)/i
const rule = '='.repeat(80)

/** The heading of a part, which stands between two rules. */
export const headingOf = (name: string, version: string) => `${name} ${version}`
export const headingInPage = (name: string) => `${name}, in the script of redoc`

/**
 * Renders the licences of all packages in a bundle, each once, in the order of their names.
 * @param files the files of the bundle, as paths from the root of the project
 * @param notices notices in the files themselves
 */
export function renderLegal(files: readonly string[], notices: string): string {
  const folders = files.flatMap((file) => packageOfPath.exec(file)?.[0] ?? [])
  const hasPage = files.includes(pageModule)
  const parts = new Set([...folders, ...(hasPage ? [pageFolder] : [])].map(renderPackage))
  return [
    'The licences of all packages in coopshare.\n',
    ...[...parts].sort(),
    ...(hasPage ? renderPagePackages() : []),
    renderPart('Notices in the files of these packages', notices),
  ].join('\n')
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

function renderPagePackages(): string[] {
  const packages = readPagePackages().map(({ name, folder, license }) =>
    renderPart(headingInPage(name), textOf(name, folder, license)),
  )
  return [...packages, renderPart('Notices in the script of redoc', readPageNotices().join('\n'))]
}

/** Returns the text of a licence, or its name if the package has no text. */
function textOf(name: string, folder: string | undefined, license: string | undefined): string {
  const names = folder === undefined ? [] : readdirSync(folder).filter(isLicence).sort()
  const texts = names.map((name) => readFileSync(join(folder ?? '', name), 'utf8').trim())
  if (license !== undefined) texts.unshift(`Licence: ${license}`)
  if (texts.length === 0) throw new Error(`${name} does not say which licence it has.`)
  return texts.join('\n\n')
}

const isLicence = (name: string) => licenceFile.test(name)

/** The reference page contains a single script, which includes everything that redoc needs. */
const pageModule = 'src/contract/reference-page.ts'
export const pageFolder = 'node_modules/redoc'

/** Licences of packages that are in redoc's script but no longer among its dependencies. */
const licencesOfMissing: Readonly<Record<string, string>> = {
  '@emotion/stylis': 'MIT',
  '@redocly/workerize-loader': 'MIT',
  'css-loader': 'MIT',
  'hoist-non-react-statics': 'BSD-3-Clause',
  'lodash.noop': 'MIT',
  'style-loader': 'MIT',
  unfetch: 'MIT',
}

interface PagePackage {
  readonly name: string
  /** The folder in which npm installed the package; undefined if npm did not install it. */
  readonly folder: string | undefined
  /** The licence that package.json names. */
  readonly license: string | undefined
}

/** The folders below which npm installs what redoc needs. */
const owners = [pageFolder, 'node_modules/@redocly/openapi-core', '.']

/** Finds the packages in the script by its source maps. */
function readPagePackages(): PagePackage[] {
  const names = new Set(readPageNames())
  return [...names].sort().map((name) => {
    const places = owners.map((owner) => join(owner, 'node_modules', name))
    const folder = places.find((place) => existsSync(join(place, 'package.json')))
    return { name, folder, license: licenseOf(name, folder) }
  })
}

/** The script of the page, and that of the worker for its search. */
const pageScripts = ['redoc.standalone.js', 'd87bcbdbea8f8f5aa26f.worker.js']

function readBesideScripts(ending: string): string[] {
  const files = pageScripts.map((name) => join(pageFolder, 'bundles', `${name}${ending}`))
  return files.map((file) => readFileSync(file, 'utf8'))
}

export function readPageNotices(): string[] {
  return readBesideScripts('.LICENSE.txt')
}

export function readPageNames(): string[] {
  const sources: string[] = readBesideScripts('.map').flatMap((map) => JSON.parse(map).sources)
  return sources.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [])
}

function licenseOf(name: string, folder: string | undefined): string | undefined {
  if (folder === undefined) return licencesOfMissing[name]
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).license
}
