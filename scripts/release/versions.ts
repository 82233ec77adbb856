import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contractDirectory, readManifest, readPinned } from '../contract/sources.ts'

/** The versions that different files state. */
interface VersionSources {
  /** The version in package.json, which is authoritative. */
  readonly version: string
  readonly lock: string
  readonly manifest: string
  readonly changelog: string
  /** The tag of a release; undefined for a trial. */
  readonly tag: string | undefined
  /** The commit of the sources, as the program reports it. */
  readonly commit: string
}

/** @returns a sentence for each place with another version, and what to do */
export function findVersionFaults(told: VersionSources): string[] {
  const { version, lock, manifest, changelog, tag, commit } = told
  const is = `package.json has version ${version}`
  const [, heading = '', state = ''] = /^## (\S+?)(?:, (.+))?$/m.exec(changelog) ?? []
  return [
    ...(lock === version
      ? []
      : [`${is}, but package-lock.json has ${lock}. Run \`npm install --package-lock-only\`.`]),
    ...(manifest === version
      ? []
      : [`${is}, but oclif.manifest.json has ${manifest}. Run \`npm run check:manifest\`.`]),
    ...(heading === version
      ? []
      : [
          `${is}, but the first heading of CHANGELOG.md is "${heading}". Begin a part "## ${version}, unreleased".`,
        ]),
    ...(tag === undefined ? [] : findTagFaults({ version, commit, state, tag })),
  ]
}

interface Tagged {
  readonly version: string
  readonly commit: string
  readonly state: string
  readonly tag: string
}

function findTagFaults({ version, commit, state, tag }: Tagged): string[] {
  return [
    ...(/^[0-9a-f]+$/.test(commit)
      ? []
      : [
          `The sources are at commit ${commit}. Release from a checkout without uncommitted changes.`,
        ]),
    ...(tag === `v${version}`
      ? []
      : [
          `The tag is ${tag}, but package.json has version ${version}. Use the tag v${version}, or run \`npm version\`.`,
        ]),
    ...(/^\d{4}-\d\d-\d\d$/.test(state)
      ? []
      : [
          `CHANGELOG.md has "${state}" in place of the date of the release. Write "## ${version}, yyyy-mm-dd".`,
        ]),
  ]
}

/** The facts that a program must report before its release. */
export interface Expected {
  readonly version: string
  readonly commit: string
  /** The version of Node that an executable contains. */
  readonly node?: string | undefined
}

/** @returns the differences between the report of the program and what is expected */
export function findProgramFaults(
  words: readonly string[],
  { version, commit, node }: Expected,
): string[] {
  const name = words.at(-1)
  const again = 'Run `npm run build && npm run binary`.'
  const [told = ''] = run(words, '--version').split('\n')
  if (!told.startsWith(`coopshare/${version} `)) {
    return [`${name} --version prints "${told}", but package.json has version ${version}. ${again}`]
  }
  if (node !== undefined && !told.includes(` node-v${node}`)) {
    return [
      `${name} --version prints "${told}", but package.json pins Node ${node}. Build with that version.`,
    ]
  }
  if (!told.endsWith(` commit ${commit}`)) {
    return [`${name} --version prints "${told}", but the sources are at commit ${commit}. ${again}`]
  }
  return findContractFaults(words).map(
    (file) => `${name} and src/contract have different files ${file}. ${again}`,
  )
}

function findContractFaults(words: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'coopshare-'))
  try {
    run(words, 'contract', 'export', folder)
    const { versions } = readManifest(contractDirectory)
    const pinned = versions.flatMap((each) => Object.entries(readPinned(contractDirectory, each)))
    return pinned
      .filter(([name, text]) => readIfThere(join(folder, 'openapi', name)) !== text)
      .map(([name]) => name)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function readIfThere(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

function run([program = '', ...argv]: readonly string[], ...more: readonly string[]): string {
  return spawnSync(program, [...argv, ...more], { encoding: 'utf8' }).stdout ?? ''
}
