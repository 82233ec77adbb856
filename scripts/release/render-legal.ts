import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pageFolder, pageModule, readPagePackages } from './page-packages.ts'

const packageOfPath = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/
const licenceFile = /^(?:licen[cs]e|copying|notice|unlicense)/i
const rule = '='.repeat(80)

/** The line that a part begins with, between two rules. */
export const headingOf = (name: string, version: string) => `${name} ${version}`
export const headingInPage = (name: string) => `${name}, in the script of redoc`

/**
 * The licences of all packages in a bundle, each once and in the order of their names.
 * @param files that the bundle is made of, as paths from the root of the project
 * @param notices that stand in the files themselves
 */
export function renderLegal(files: readonly string[], notices: string): string {
  const folders = files.flatMap((file) => packageOfPath.exec(file)?.[0] ?? [])
  const hasPage = files.includes(pageModule)
  const parts = new Set([...folders, ...(hasPage ? [pageFolder] : [])].map(renderPackage))
  return [
    'The licences of all packages that coopshare holds.\n',
    ...[...parts].sort(),
    ...(hasPage ? renderPagePackages() : []),
    renderPart('Notices in the files of these packages', notices),
  ].join('\n')
}

export function renderPart(heading: string, text: string): string {
  return `${rule}\n${heading}\n${rule}\n\n${text.trim()}\n`
}

function renderPackage(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return renderPart(headingOf(name, version), textOf(name, folder, license))
}

function renderPagePackages(): string[] {
  const own = ['redoc.standalone.js.LICENSE.txt', 'd87bcbdbea8f8f5aa26f.worker.js.LICENSE.txt']
  const texts = own.map((file) => readFileSync(join(pageFolder, 'bundles', file), 'utf8'))
  const packages = readPagePackages().map(({ name, folder, license }) =>
    renderPart(headingInPage(name), textOf(name, folder, license)),
  )
  return [...packages, renderPart('Notices in the script of redoc', texts.join('\n'))]
}

/** Some packages only name their licence, and some only have its text. */
function textOf(name: string, folder: string | undefined, license: string | undefined): string {
  const names = folder === undefined ? [] : readdirSync(folder).filter(isLicence).sort()
  const texts = names.map((name) => readFileSync(join(folder ?? '', name), 'utf8').trim())
  if (license !== undefined) texts.unshift(`Licence: ${license}`)
  if (texts.length === 0) throw new Error(`Nothing says which licence ${name} has.`)
  return texts.join('\n\n')
}

const isLicence = (name: string) => licenceFile.test(name)
