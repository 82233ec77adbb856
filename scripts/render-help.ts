import type { Command, Config } from '@oclif/core'
import manifest from '../oclif.manifest.json' with { type: 'json' }
import pjson from '../package.json' with { type: 'json' }
import { connectionPage, ProgramHelp } from '../src/cli/program/help.ts'
import { loadConfig } from '../src/cli/program/oclif.ts'

/** @returns pages by file name: one for each topic and each command without a topic, and an index */
export async function renderHelp(): Promise<ReadonlyMap<string, string>> {
  const load = async () => {
    throw new Error('Help is made from the manifest alone.')
  }
  const config = await loadConfig({ pjson, commands: manifest.commands, load })
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

const topicOf = ({ id }: Command.Loadable) => id.split(':')[0] ?? id
const nameOf = ({ id }: Command.Loadable) => `coopshare ${id.replaceAll(':', ' ')}`

const origin = 'Made from the commands by `npm run check:help`.'
const connectionHint = `Connection flags are explained on [their own page](${connectionPage.name}.md).`

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
