import { type Command, type Config, Help } from '@oclif/core'
import manifest from '../oclif.manifest.json' with { type: 'json' }
import pjson from '../package.json' with { type: 'json' }
import { loadConfig } from '../src/cli/program/load-config.ts'

/** What `--help` prints, as text. */
class HelpText extends Help {
  of(command: Command.Loadable): string {
    return this.formatCommand(command)
  }
}

/** @returns pages by the names of their files: one for each topic or command that stands alone, and one that lists them */
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
    ...pages.map(([topic, own]) => [`${topic}.md`, renderPage(config, topic, own)] as const),
  ])
}

const topicOf = ({ id }: Command.Loadable) => id.split(':')[0] ?? id
const nameOf = ({ id }: Command.Loadable) => `coopshare ${id.replaceAll(':', ' ')}`

const origin = 'Made from the commands by `npm run check:help`.'

function renderIndex(
  pages: readonly (readonly [topic: string, commands: readonly Command.Loadable[]])[],
): string {
  const rows = pages.flatMap(([topic, commands]) =>
    commands.map((each) => `| [\`${nameOf(each)}\`](${topic}.md) | ${each.summary ?? ''} |`),
  )
  return ['# Commands', '', origin, '', '| Command | Does |', '|---|---|', ...rows, ''].join('\n')
}

function renderPage(config: Config, topic: string, commands: readonly Command.Loadable[]): string {
  const help = new HelpText(config, { stripAnsi: true })
  const sections = commands.map(
    (each) =>
      `## ${nameOf(each)}\n\n${each.summary ?? ''}\n\n\`\`\`text\n${withoutBlankEnds(help.of(each))}\n\`\`\`\n`,
  )
  return [`# coopshare ${topic}\n\n${origin}\n`, ...sections].join('\n')
}

function withoutBlankEnds(text: string): string {
  return text.replaceAll(/[^\S\n]+$/gm, '').trim()
}
