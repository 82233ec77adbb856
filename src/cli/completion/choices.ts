import type { Command, Interfaces } from '@oclif/core'

export interface Place {
  /** `purchase list`; empty right after the name of the program. */
  readonly words: string
  /** Known arguments are in this list, too. */
  readonly subcommands: readonly Choice[]
  readonly flags: readonly FlagChoice[]
}

export interface Choice {
  readonly word: string
  readonly description: string
}

export interface FlagChoice extends Choice {
  readonly takesValue: boolean
  /** Empty if any value is allowed. */
  readonly values: readonly string[]
}

type Config = Pick<Interfaces.Config, 'commands' | 'topics'>

export function readCompletions(config: Config): Place[] {
  const described = describeAll(config)
  const places = ['', ...described.keys()].sort()
  return places.map((words) => {
    const command = config.commands.find(({ id }) => id.replaceAll(':', ' ') === words)
    const subcommands = [...subcommandsOf(words, described), ...argumentsOf(command)]
    return { words, subcommands, flags: flagsOf(command) }
  })
}

function describeAll({ commands, topics }: Config): Map<string, string> {
  const all = [
    ...topics.map(({ name, description = '' }) => [name, description] as const),
    ...commands.map(({ id, summary = '' }) => [id, summary] as const),
  ]
  const described = all.map(([id, text]) => [id.replaceAll(':', ' '), firstSentence(text)] as const)
  // `help` takes the same words.
  return new Map(
    described.flatMap(([name, text]) => [
      [name, text],
      [`help ${name}`, text],
    ]),
  )
}

function subcommandsOf(words: string, described: ReadonlyMap<string, string>): Choice[] {
  const start = words === '' ? '' : `${words} `
  return [...described]
    .filter(([name]) => name.startsWith(start) && !name.slice(start.length).includes(' '))
    .map(([name, description]) => ({ word: name.slice(start.length), description }))
    .filter(({ word }) => word !== '')
    .sort((left, right) => (left.word < right.word ? -1 : 1))
}

function argumentsOf(command: Command.Loadable | undefined): Choice[] {
  const known = Object.values(command?.args ?? {}).flatMap(({ options = [] }) => options)
  return known.map((word) => ({ word, description: '' }))
}

function flagsOf(command: Command.Loadable | undefined): FlagChoice[] {
  if (!command) return [help]
  const flags = Object.values(command.flags).filter(({ hidden }) => !hidden)
  const choices = [...flags.flatMap(choicesOf), help]
  return choices.sort((left, right) => (left.word < right.word ? -1 : 1))
}

function choicesOf(flag: Command.Flag.Cached): FlagChoice[] {
  const description = firstSentence(flag.summary ?? flag.description ?? '')
  const choice = { word: `--${flag.name}`, description, takesValue: false, values: [] }
  if (flag.type === 'option') return [{ ...choice, takesValue: true, values: flag.options ?? [] }]
  return flag.allowNo ? [choice, { ...choice, word: `--no-${flag.name}` }] : [choice]
}

const help = { word: '--help', description: 'Show help.', takesValue: false, values: [] }

/** A shell shows one line per choice. */
function firstSentence(text: string): string {
  return text.split(/\n|(?<=\.) /)[0] ?? ''
}
