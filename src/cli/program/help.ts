import { format } from 'node:util'
import { type Command, CommandHelp, Help, type Interfaces } from '@oclif/core'
import { normalizeArgv } from '@oclif/core/help'
import { benchGroup, connectionGroup } from '../../config/common-flags.ts'
import { unknownCommand } from '../suggestions.ts'

function isForConnection({ helpGroup }: Command.Flag.Any): boolean {
  return helpGroup === connectionGroup
}

/** With the flags of the bench, the help of `serve` would be too long, so the help of `with` explains them. */
function isForBench(command: Command.Loadable, { helpGroup }: Command.Flag.Any): boolean {
  return command.id === 'serve' && helpGroup === benchGroup
}

/** `docopts` of oclif breaks lines within brackets; this character stands for a space until lines have been broken. */
const unbroken = '\u00A0'

/** The description of a command with more variables says how they are named. */
const maximumShownVariables = 4

/** Help of a command with examples first, and with one line instead of the connection flags. */
class ExampleFirstHelp extends CommandHelp {
  readonly #hasConnectionFlags: boolean
  readonly #hasBenchFlags: boolean

  constructor(command: Command.Loadable, config: Interfaces.Config, opts: Interfaces.HelpOptions) {
    const flags = Object.entries(command.flags)
    const own = flags.filter(([, flag]) => !isForConnection(flag) && !isForBench(command, flag))
    const named = Object.fromEntries(own.map(withValueName))
    super({ ...command, flags: named } as Command.Loadable, config, opts)
    this.#hasConnectionFlags = flags.some(([, flag]) => isForConnection(flag))
    this.#hasBenchFlags = flags.some(([, flag]) => isForBench(command, flag))
  }

  override generate(): string {
    return super.generate().replaceAll(unbroken, ' ')
  }

  protected override sections(): ReturnType<CommandHelp['sections']> {
    return [
      { header: 'EXAMPLES', generate: ({ cmd }) => this.examples(cmd.examples) },
      { header: 'USAGE', generate: () => this.usage() },
      { header: 'ARGUMENTS', generate: ({ args }, header) => [{ header, body: this.args(args) }] },
      { header: 'FLAGS', generate: ({ flags }) => this.#flagSections(flags) },
      { header: 'DESCRIPTION', generate: () => this.description() },
    ]
  }

  protected override defaultUsage(): string {
    const usage = super.defaultUsage() + (this.#hasConnectionFlags ? ' [connection flags]' : '')
    return usage.replaceAll(/\[[^\]]*\]|\([^)]*\)/g, (part) => part.replaceAll(' ', unbroken))
  }

  /** oclif would repeat the summary. */
  protected override description(): string | undefined {
    const { description } = this.command
    return description && this.wrap(description)
  }

  #flagSections(flags: readonly Command.Flag.Any[]) {
    const requiredFirst = flags.toSorted((one, other) => rankOf(one) - rankOf(other))
    const { mainFlags, flagGroups } = this.groupFlags(requiredFirst)
    const variables = flags.filter((flag) => flag.env !== undefined)
    const showsVariables = variables.length <= maximumShownVariables
    const list = (some: readonly Command.Flag.Any[]) => listFlags(some, { showsVariables })
    const groups = Object.entries(flagGroups)
    return [
      {
        header: 'FLAGS',
        body: [...list(mainFlags), ...this.#benchLine(), ...this.#connectionLine()],
      },
      ...groups.map(([header, some]) => ({ header, body: list(some) })),
    ]
  }

  #benchLine(): [string, string][] {
    return this.#hasBenchFlags
      ? [['[bench flags]', 'Need --bench. See `coopshare help with`.']]
      : []
  }

  #connectionLine(): [string, string][] {
    return this.#hasConnectionFlags
      ? [['[connection flags]', 'See `coopshare help connection`.']]
      : []
  }
}

const rankOf = ({ required }: Command.Flag.Any) => (required ? 0 : 1)

/** A value has the name of its flag, and never `<value>`. */
function withValueName([name, flag]: [string, Command.Flag.Any]): [string, Command.Flag.Any] {
  if (flag.type !== 'option') return [name, { ...flag, name }]
  return [
    name,
    { ...flag, name, helpValue: flag.helpValue ?? name.replace(/^.*-/, '').toUpperCase() },
  ]
}

/** One line for each flag: its effect, its possible values, and its default. */
function listFlags(
  flags: readonly Command.Flag.Any[],
  { showsVariables }: { readonly showsVariables: boolean },
): [string, string][] {
  return flags.map((flag) => {
    const facts = [
      flag.required && 'required',
      flag.type === 'option' && flag.options && `one of: ${flag.options.join(', ')}`,
      flag.type === 'option' && flag.default !== undefined && `default: ${flag.default}`,
      showsVariables && flag.env !== undefined && `env: ${flag.env}`,
    ].filter(Boolean)
    const detail = facts.length > 0 ? ` [${facts.join('; ')}]` : ''
    return [labelOf(flag), `${flag.description ?? ''}${detail}`]
  })
}

function labelOf(flag: Command.Flag.Any): string {
  if (flag.type === 'boolean') return `--${flag.allowNo ? '[no-]' : ''}${flag.name}`
  return `--${flag.name}=${flag.helpValue}${flag.multiple ? '...' : ''}`
}

function nameValues(flags: Readonly<Record<string, Command.Flag.Any>>): Command.Flag.Any[] {
  const named = Object.entries(flags).map((entry) => withValueName(entry)[1])
  return named.sort((left, right) => (left.name < right.name ? -1 : 1))
}

/** A help page that belongs to no command. */
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
  return new ProgramHelp(config).of(id, words)
}

export class ProgramHelp extends Help {
  protected override CommandHelpClass = ExampleFirstHelp
  #lines: string[] = []

  async of(id: string, words: readonly string[]): Promise<string> {
    const command = this.config.findCommand(id)
    const topic = this.config.findTopic(id)
    if (command) await this.showCommandHelp(command)
    else if (topic) await this.showTopicHelp(topic)
    else if (id === '') await this.showRootHelp()
    else throw unknownCommand(this.config, words)
    return this.#lines.join('\n').trimEnd()
  }

  /** The help of a command without its summary. */
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

const connectionDescription = `A command uses the first of these that applies:
1. the service at --operator-url, which may run on another machine; set its token in COOPSHARE_OPERATOR_TOKEN;
2. the store in the database at --database-url;
3. the service that runs on the data directory;
4. the store in the data directory, if no service runs on it.

You can give the encryption key as text in COOPSHARE_ENCRYPTION_KEY instead of a file. Only commands that work on a running service take --operator-url; only \`serve\` takes --database-wait.`
