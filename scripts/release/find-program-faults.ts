import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contractDirectory, readManifest, readPinned } from '../contract/sources.ts'

/** What a program that is to be released has to say of itself. */
export interface Expected {
  readonly version: string
  readonly commit: string
  /** For an executable: the Node that it carries. */
  readonly node?: string | undefined
}

/** @returns what it says otherwise */
export function findProgramFaults(
  words: readonly string[],
  { version, commit, node }: Expected,
): string[] {
  const name = words.at(-1)
  const again = 'npm run build && npm run binary.'
  const [told = ''] = run(words, '--version').split('\n')
  if (!told.startsWith(`coopshare/${version} `)) {
    return [`${name} --version says "${told}", package.json has version ${version}: ${again}`]
  }
  if (node !== undefined && !told.includes(` node-v${node}`)) {
    return [`${name} --version says "${told}", package.json pins Node ${node}: build it with that.`]
  }
  if (!told.endsWith(` commit ${commit}`)) {
    return [`${name} --version says "${told}", the sources are at commit ${commit}: ${again}`]
  }
  return findContractFaults(words).map(
    (file) => `${name} has another ${file} than src/contract: ${again}`,
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
