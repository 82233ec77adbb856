// `npm run release:check [-- v1.2.3]` checks after build and binary that all sources and built
// files have the same version, and that published files are unchanged. It puts all files of the
// release into dist/release.
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { readCommit } from '../build/commit.ts'
import { addNodeLicences } from '../build/licences.ts'
import { findPinnedNode, pinnedNodeVersion } from '../build/pinned-node.ts'
import { contractDirectory, findChanged, readManifest } from '../contract/sources.ts'
import { renderBill } from './bill.ts'
import { findLegalFaults } from './licences.ts'
import { packProgram } from './npm-package.ts'
import { findProgramFaults, findVersionFaults } from './versions.ts'

const folder = 'dist/release'
const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'))
const description = readJson('package.json')
const commit = readCommit()
/** The files that accompany the executable: instructions and our licence. */
const companions: Readonly<Record<string, string>> = {
  'deploy/coopshare.service': 'coopshare.service',
  LICENSE: 'LICENSE',
}
interface Program {
  readonly words: readonly string[]
  /** The version of Node in the executable. */
  readonly node?: string
}
const programs: Readonly<Record<string, Program>> = {
  'dist/coopshare.cjs': { words: [process.execPath, 'bin/run.js'] },
  'dist/coopshare': { words: ['dist/coopshare'], node: pinnedNodeVersion },
}

function findFaults(): string[] {
  const versions = {
    version: description.version,
    lock: readJson('package-lock.json').version,
    manifest: readJson('oclif.manifest.json').version,
    changelog: readFileSync('CHANGELOG.md', 'utf8'),
    tag: process.argv[2],
    commit,
  }
  return [
    ...Object.entries(programs).flatMap(([file, program]) => findBuildFaults(file, program)),
    ...findLicenceFaults(),
    ...findVersionFaults(versions),
    ...findChanged(contractDirectory, readManifest(contractDirectory)),
  ]
}

/**
 * The file with the licences of packages, without that of Node, which only the executable contains.
 */
const licences = 'dist/coopshare.cjs.LEGAL.txt'

function findLicenceFaults(): string[] {
  const bundles = ['dist/coopshare.cjs', 'dist/client.js', 'dist/testing.js']
  if (![licences, ...bundles].every(existsSync))
    return [`There is no ${licences}. Run \`npm run build\`.`]
  const read = (file: string) => readFileSync(file, 'utf8')
  return findLegalFaults(bundles.map(read).join('\n'), read(licences))
}

function renderLicences(): string {
  return addNodeLicences(readFileSync(licences, 'utf8'), findPinnedNode())
}

function findBuildFaults(file: string, { words, node }: Program): string[] {
  if (existsSync(file))
    return findProgramFaults(words, { version: description.version, commit, node })
  return [`There is no ${file}. Run \`npm run build && npm run binary\`.`]
}

function writeRelease(): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const system = process.platform === 'darwin' ? 'macos' : process.platform
  copyFileSync('dist/coopshare', join(folder, `coopshare-${system}-${process.arch}`))
  for (const [file, name] of Object.entries(companions)) copyFileSync(file, join(folder, name))
  writeFileSync(join(folder, 'LEGAL.txt'), renderLicences())
  packProgram('.', join(process.cwd(), folder))
  writeFileSync(join(folder, 'coopshare.cdx.json'), renderBill(description))
  const digests = readdirSync(folder).map((name) => `${digestOf(join(folder, name))}  ${name}\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), digests.join(''))
  console.log(`${folder}: version ${description.version}\n${digests.join('')}`.trimEnd())
}

function digestOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

const faults = findFaults()
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
else writeRelease()
