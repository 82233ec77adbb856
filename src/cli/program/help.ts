import { format } from 'node:util'
import { type Command, Help, type Interfaces } from '@oclif/core'
import { normalizeArgv } from '@oclif/core/help'
import { unknownCommand } from '../suggestions.ts'
import { ExampleFirstHelp, isForConnection, listFlags, nameValues } from './command-help.ts'

/** A page of help that belongs to no command. */
export const connectionPage = {
  name: 'connection',
  summary: 'How a command finds the store or the service.',
} as const

/** @param words of a command or a topic, and arguments that may follow them; without any, the overview */
export async function readHelp(
  config: Interfaces.Config,
  words: readonly string[],
): Promise<string> {
  if (words[0] === connectionPage.name) return new ProgramHelp(config).ofConnection()
  const [id = ''] = normalizeArgv(config, [...words])
  return new ProgramHelp(config).of(id)
}

export class ProgramHelp extends Help {
  protected override CommandHelpClass = ExampleFirstHelp
  #lines: string[] = []

  async of(id: string): Promise<string> {
    const command = this.config.findCommand(id)
    const topic = this.config.findTopic(id)
    if (command) await this.showCommandHelp(command)
    else if (topic) await this.showTopicHelp(topic)
    else if (id === '') await this.showRootHelp()
    else throw unknownCommand(this.config, id)
    return this.#lines.join('\n').trimEnd()
  }

  /** Without the summary. */
  ofCommand(command: Command.Loadable): string {
    return this.formatCommand(command)
  }

  ofConnection(): string {
    const flags = this.config.commands.flatMap((command) =>
      Object.entries(command.flags).filter(([, flag]) => isForConnection(flag)),
    )
    const listed = listFlags(nameValues(Object.fromEntries(flags)), { showsVariables: true })
    return [
      connectionPage.summary,
      this.section('EXAMPLES', connectionExamples),
      this.section('FLAGS', listed),
      this.section('DESCRIPTION', this.wrap(connectionDescription)),
    ].join('\n\n')
  }

  override formatRoot(): string {
    const { description = '' } = this.config.pjson
    const steps = firstSteps.map(({ title, commands }) => this.section(title, commands.join('\n')))
    return [this.wrap(description, 0), ...steps, this.section('MORE HELP', moreHelp)].join('\n\n')
  }

  protected override formatTopic({ name, description = '' }: Interfaces.Topic): string {
    const usage = `$ ${this.config.bin} ${name.replaceAll(':', ' ')} COMMAND`
    return [description, this.section('USAGE', usage), ''].join('\n\n')
  }

  protected override log(...words: string[]): void {
    this.#lines.push(format(...words))
  }
}

const firstSteps = [
  { title: 'START THE SERVICE WITH DEMO DATA', commands: ['$ coopshare serve --demo'] },
  {
    title: 'APPROVE THE ORDERS THAT PARTNERS HAVE PLACED',
    commands: [
      '$ coopshare purchase list --status submitted',
      '$ coopshare purchase approve --all-submitted',
    ],
  },
  {
    title: 'RECEIVE WEBHOOKS ON YOUR MACHINE',
    commands: [
      '$ coopshare listen --organization "Demo Bank" \\',
      '    --forward-to http://localhost:3000/hooks',
    ],
  },
]

const moreHelp = `coopshare help COMMAND     explains a command, or lists the commands of a topic
coopshare help connection  explains how commands find the store or the service`

const connectionExamples = `$ coopshare purchase list --data-dir /srv/coopshare
$ COOPSHARE_DATABASE_URL=postgres://… coopshare purchase list
$ COOPSHARE_OPERATOR_TOKEN=… coopshare purchase list --operator-url http://10.0.0.5:9090`

const connectionDescription = `A command uses the first of these:
1. the service at --operator-url, which may run on another machine; set its token in COOPSHARE_OPERATOR_TOKEN;
2. the store in the database at --database-url;
3. the service that runs on the data directory;
4. the store in the data directory, if no service runs on it.

You can give the encryption key as text in COOPSHARE_ENCRYPTION_KEY instead of a file. Only commands that work on a running service take --operator-url; only \`serve\` takes --database-wait.`
