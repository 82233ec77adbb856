import { type Command, CommandHelp, type Interfaces } from '@oclif/core'
import { benchGroup, connectionGroup } from '../../config/flag-groups.ts'

export function isForConnection({ helpGroup }: Command.Flag.Any): boolean {
  return helpGroup === connectionGroup
}

/** Help of `serve` would be too long with the flags of the bench, so that of `with` explains them. */
function isForBench(command: Command.Loadable, { helpGroup }: Command.Flag.Any): boolean {
  return command.id === 'serve' && helpGroup === benchGroup
}

/** `docopts` of oclif breaks lines within brackets; this character stands for a space until lines have been broken. */
const unbroken = '\u00A0'

/** A command with more variables than that says in its description how they are named. */
const mostShownVariables = 4

/** Help of a command with examples first, and with one line instead of the connection flags. */
export class ExampleFirstHelp extends CommandHelp {
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
    const showsVariables = variables.length <= mostShownVariables
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

/** One line for each flag: what it does, then what may be given, and what counts when it is not given. */
export function listFlags(
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

export function nameValues(flags: Readonly<Record<string, Command.Flag.Any>>): Command.Flag.Any[] {
  const named = Object.entries(flags).map((entry) => withValueName(entry)[1])
  return named.sort((left, right) => (left.name < right.name ? -1 : 1))
}
