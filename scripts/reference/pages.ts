import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Command, type Config, Plugin } from '@oclif/core'
import { loadCommand } from '../../fixtures/program/commands.ts'
import pjson from '../../package.json' with { type: 'json' }
import { type CommandCode, commandCodes, exitCodes } from '../../src/cli/error-codes.ts'
import { systemCodes } from '../../src/cli/explain-system-error.ts'
import { connectionPage, ProgramHelp, readHelp } from '../../src/cli/program/help.ts'
import { loadConfig } from '../../src/cli/program/run-program.ts'
import { rateLimits } from '../../src/domain/rate-limits.ts'
import { describeOperation, type OperationName } from '../../src/operations/operations.ts'
import { renderJsonOutput, renderScenarios } from './schemas.ts'

const directory = 'docs/reference'
const commands = 'commands'
const manifestFile = 'oclif.manifest.json'

/**
 * Rewrites generated pages in docs/reference/ that are out of date. @returns a fault for each of
 * them, and for each rate limit that the page of settings lacks
 */
export async function renewPages(): Promise<string[]> {
  const pages = await renderPages()
  mkdirSync(join(directory, commands), { recursive: true })
  const gone = readdirSync(join(directory, commands))
    .map((name) => join(commands, name))
    .filter((name) => !pages.has(name))
  const stale = [...pages].filter(([name, text]) => readIfThere(join(directory, name)) !== text)
  for (const name of gone) rmSync(join(directory, name))
  for (const [name, text] of stale) writeFileSync(join(directory, name), text)
  const renewed = [...gone, ...stale.map(([name]) => name)].map(
    (name) => `${join(directory, name)} was out of date. It is now up to date. Commit it.`,
  )
  return [...renewed, ...findUnexplainedLimits()]
}

/** The page of settings is written by hand: each of its rows has flags, and their defaults in the same sequence. */
function findUnexplainedLimits(): string[] {
  const page = join(directory, 'settings.md')
  const rows = readFileSync(page, 'utf8').split('\n')
  const explained = rows.flatMap((row) => {
    const [, flags = '', defaults = ''] = row.split('|')
    const values = defaults.split(',').map((value) => value.trim())
    return [...flags.matchAll(/`--([\w-]+)`/g)].map(([, flag], index) => `${flag} ${values[index]}`)
  })
  return Object.values(rateLimits).flatMap(({ flag, specified }) =>
    explained.includes(`${flag} ${specified}`)
      ? []
      : [`${page} does not explain --${flag}, or has another default than ${specified}.`],
  )
}

async function renderPages(): Promise<ReadonlyMap<string, string>> {
  const help = [...(await renderHelp())].map(
    ([name, text]) => [join(commands, name), text] as const,
  )
  return new Map([
    ...help,
    ['errors.md', renderErrors()],
    ['json-output.md', await renderJsonOutput()],
    ['scenarios.md', renderScenarios()],
  ])
}

/**
 * Generates the manifest again, because a new command would silently be missing from an outdated
 * one. @returns a fault if it was outdated
 */
export async function renewManifest(): Promise<string[]> {
  const before = readIfThere(manifestFile)
  const fresh = await renderManifest()
  writeFileSync(manifestFile, fresh)
  return before === fresh
    ? []
    : [`${manifestFile} was out of date. It is now up to date. Commit it.`]
}

/**
 * oclif lists commands in the order in which they load, which varies. A command without a summary has
 * that of its operation.
 */
async function renderManifest(): Promise<string> {
  const options = { ignoreManifest: true, errorOnManifestCreate: true, respectNoCacheDefault: true }
  const plugin = new Plugin({ root: process.cwd(), isRoot: true, ...options })
  await plugin.load()
  const { commands, ...rest } = plugin.manifest
  const byName = Object.entries(commands).sort(([left], [right]) => (left < right ? -1 : 1))
  for (const [id, command] of byName) {
    const { operation } = (await loadCommand(id)).prototype as { operation?: OperationName }
    if (operation) command.summary ??= describeOperation(operation).summary
  }
  return `${JSON.stringify({ commands: Object.fromEntries(byName), ...rest }, null, 2)}\n`
}

function readIfThere(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** @returns pages by file name: one for each topic and each command without a topic, and an index */
async function renderHelp(): Promise<ReadonlyMap<string, string>> {
  const config = await loadManifest()
  const commands = config.commands.filter(({ hidden }) => !hidden)
  const topics = [...new Set(commands.map(topicOf))].sort()
  const pages = topics.map((topic) => {
    const own = commands.filter((command) => topicOf(command) === topic)
    return [topic, own.sort((left, right) => (left.id < right.id ? -1 : 1))] as const
  })
  return new Map([
    ['README.md', renderIndex(pages)],
    [`${connectionPage.name}.md`, renderConnectionPage(config)],
    ...pages.map(([topic, own]) => [`${topic}.md`, renderPage(config, topic, own)] as const),
  ])
}

async function loadManifest(): Promise<Config> {
  const load = async () => {
    throw new Error('Help needs only the manifest.')
  }
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'))
  return loadConfig({ pjson, commands: manifest.commands, load })
}

/** @returns the output of `--help` for each command, by its id */
export async function readCommandHelps(): Promise<ReadonlyMap<string, string>> {
  const config = await loadManifest()
  const helps = config.commands.map(
    async ({ id }) => [id, await readHelp(config, id.split(':'))] as const,
  )
  return new Map(await Promise.all(helps))
}

const topicOf = ({ id }: Command.Loadable) => id.split(':')[0] ?? id
const nameOf = ({ id }: Command.Loadable) => `coopshare ${id.replaceAll(':', ' ')}`

const origin = '`npm run check:help` makes this page from the commands.'
const connectionHint = `[Connection flags](${connectionPage.name}.md) have a separate page.`

function renderIndex(
  pages: readonly (readonly [topic: string, commands: readonly Command.Loadable[]])[],
): string {
  const rows = pages.flatMap(([topic, commands]) =>
    commands.map((each) => `| [\`${nameOf(each)}\`](${topic}.md) | ${each.summary ?? ''} |`),
  )
  return [
    '# Commands',
    '',
    origin,
    '',
    connectionHint,
    '',
    '| Command | Purpose |',
    '|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function renderPage(config: Config, topic: string, commands: readonly Command.Loadable[]): string {
  const help = new ProgramHelp(config, { stripAnsi: true })
  const hasConnectionFlags = commands.some(({ flags }) => 'data-dir' in flags)
  const sections = commands.map(
    (each) =>
      `## ${nameOf(each)}\n\n${each.summary ?? ''}\n\n\`\`\`text\n${withoutBlankEnds(help.ofCommand(each))}\n\`\`\`\n`,
  )
  const hint = hasConnectionFlags ? `\n\n${connectionHint}` : ''
  return [`# coopshare ${topic}\n\n${origin}${hint}\n`, ...sections].join('\n')
}

function renderConnectionPage(config: Config): string {
  const text = new ProgramHelp(config, { stripAnsi: true }).ofConnection()
  return `# Connection flags\n\n${origin}\n\n\`\`\`text\n${withoutBlankEnds(text)}\n\`\`\`\n`
}

function withoutBlankEnds(text: string): string {
  return text.replaceAll(/[^\S\n]+$/gm, '').trim()
}

const meanings: Readonly<Record<number, string>> = {
  0: 'The command succeeded.',
  [exitCodes.failed]: 'The command failed, or a check found a problem.',
  [exitCodes.wrongUsage]:
    'The usage was wrong, or an input file does not exist. Nothing was changed.',
  [exitCodes.notFound]: 'What you named does not exist.',
  [exitCodes.refused]: 'A rule refused the operation.',
  [exitCodes.unreachable]: 'The service or the store cannot be reached or opened.',
}

/** @returns docs/reference/errors.md */
function renderErrors(): string {
  const codes = Object.keys(commandCodes) as CommandCode[]
  const sections = Object.values(exitCodes).map((exit) =>
    [
      `### Exit code ${exit}`,
      '',
      '| Code | Meaning | What to do |',
      '|---|---|---|',
      ...codes.filter((code) => commandCodes[code].exit === exit).map(renderRow),
      '',
    ].join('\n'),
  )
  const { refused, unreachable } = exitCodes
  return `# Errors of the command line

\`npm run check:help\` makes this page from the table of codes. [Errors of the partner API](../partners/errors.md) have a separate page.

With \`--json\`, a failed command prints one object to standard output:

\`\`\`json
{ "error": { "code": "CLIENT_NOT_FOUND", "message": "…" } }
\`\`\`

If the input is not valid, \`errors\` also has a message for each wrong field. Later versions keep all codes and exit codes, and may add new ones. Messages may change. Without \`--json\`, the message goes to standard error.

## Exit codes

| Exit code | Meaning |
|---|---|
${Object.entries(meanings)
  .map(([exit, meaning]) => `| ${exit} | ${meaning} |`)
  .join('\n')}

If a command works on several items, its exit code is the highest exit code of any item. \`contract verify\`, \`signature verify\`, \`webhook test\`, \`webhook doctor\` and \`webhook certify\` print their result; if it is negative, the exit code is ${refused}. If \`store check\` finds damage, the exit code is ${exitCodes.failed}.

## Codes

${sections.join('\n')}
## Errors of the operating system

If the operating system refuses access to a file, the command prints the system's error code: ${systemCodes.map((code) => `\`${code}\``).join(', ')}. The message says what is wrong and what to do. The exit code is ${refused} for a file that you named, and ${unreachable} for a file in the data directory. Any other system error has its own code and exit code ${exitCodes.failed}.
`
}

function renderRow(code: CommandCode): string {
  const { meaning, advice } = commandCodes[code]
  return `| \`${code}\` | ${meaning} | ${advice} |`
}
