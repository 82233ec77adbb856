import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Of the reference page: a script that comes as one file, with all that redoc needs already in it. */
export const pageModule = 'src/contract/reference-page.ts'
export const pageFolder = 'node_modules/redoc'

/** In redoc's script, and in none of the packages that it asks for today. */
const licencesOfMissing: Readonly<Record<string, string>> = {
  '@emotion/stylis': 'MIT',
  '@redocly/workerize-loader': 'MIT',
  'css-loader': 'MIT',
  'hoist-non-react-statics': 'BSD-3-Clause',
  'lodash.noop': 'MIT',
  'style-loader': 'MIT',
  unfetch: 'MIT',
}

export interface PagePackage {
  readonly name: string
  /** Where npm has put it; undefined where npm has not. */
  readonly folder: string | undefined
  /** As its package.json names it. */
  readonly license: string | undefined
}

/** Those that the script was made of, as its source maps name them. */
export function readPagePackages(): PagePackage[] {
  const names = new Set(readPageNames())
  return [...names].sort().map((name) => {
    const beside = [join(pageFolder, 'node_modules', name), join('node_modules', name)]
    const folder = beside.find((each) => existsSync(join(each, 'package.json')))
    return { name, folder, license: licenseOf(name, folder) }
  })
}

export function readPageNames(): string[] {
  const maps = ['redoc.standalone.js.map', 'd87bcbdbea8f8f5aa26f.worker.js.map']
  const files = maps.map((name) => join(pageFolder, 'bundles', name))
  const sources: string[] = files.flatMap((file) => JSON.parse(readFileSync(file, 'utf8')).sources)
  return sources.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [])
}

function licenseOf(name: string, folder: string | undefined): string | undefined {
  if (folder === undefined) return licencesOfMissing[name]
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).license
}
