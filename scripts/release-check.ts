// npm run release:check [-- v1.2.3], after build and binary: is everything of one version, also what was built, and what is published as it was? Then dist/release holds all that a release consists of.
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
import { findChanged } from './contract/find-changed.ts'
import { contractDirectory, readManifest } from './contract/sources.ts'
import { findProgramFaults } from './release/find-program-faults.ts'
import { findVersionFaults } from './release/find-version-faults.ts'
import { packProgram } from './release/pack-program.ts'
import { renderBill } from './release/render-bill.ts'

const folder = 'dist/release'
const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'))
const description = readJson('package.json')
/** What the executable needs beside it: how to run it, and the licences of all that is in it. */
const companions: Readonly<Record<string, string>> = {
  'deploy/coopshare.service': 'coopshare.service',
  LICENSE: 'LICENSE',
  'dist/coopshare.cjs.LEGAL.txt': 'LEGAL.txt',
}
const programs: Readonly<Record<string, readonly string[]>> = {
  'dist/coopshare.cjs': [process.execPath, 'bin/run.js'],
  'dist/coopshare': ['dist/coopshare'],
}

function findFaults(): string[] {
  const versions = {
    version: description.version,
    lock: readJson('package-lock.json').version,
    manifest: readJson('oclif.manifest.json').version,
    changelog: readFileSync('CHANGELOG.md', 'utf8'),
    tag: process.argv[2],
  }
  return [
    ...Object.entries(programs).flatMap(([file, words]) => findBuildFaults(file, words)),
    ...findVersionFaults(versions),
    ...findChanged(contractDirectory, readManifest(contractDirectory)),
  ]
}

function findBuildFaults(file: string, words: readonly string[]): string[] {
  if (existsSync(file)) return findProgramFaults(words, description.version)
  return [`${file} is not there: npm run build && npm run binary.`]
}

function writeRelease(): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const system = process.platform === 'darwin' ? 'macos' : process.platform
  copyFileSync('dist/coopshare', join(folder, `coopshare-${system}-${process.arch}`))
  for (const [file, name] of Object.entries(companions)) copyFileSync(file, join(folder, name))
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
