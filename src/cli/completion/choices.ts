import type { Command, Interfaces } from '@oclif/core'
import type { SharePurchaseStatus } from '../../domain/share-purchases/share-purchase.ts'
import { hasInvisible } from '../../domain/text.ts'
import type { Connection } from '../connection.ts'

export interface Place {
  /** The words before this place, such as `purchase list`. Empty right after the name of the program. */
  readonly words: string
  /** The subcommands, and the arguments whose values are known. */
  readonly subcommands: readonly Choice[]
  /** Whether the running service can list arguments. */
  readonly asks: boolean
  readonly flags: readonly FlagChoice[]
}

export interface Choice {
  readonly word: string
  readonly description: string
}

export interface FlagChoice extends Choice {
  /** The short form, such as `-o`. */
  readonly short?: string | undefined
  readonly takesValue: boolean
  /** The allowed values; empty if any value is allowed. */
  readonly values: readonly string[]
  /** Whether the running service can list values. */
  readonly asks: boolean
}

type Config = Pick<Interfaces.Config, 'commands' | 'topics'>

export function readCompletions(config: Config): Place[] {
  const described = describeAll(config)
  const places = ['', ...described.keys()].sort()
  return places.map((words) => {
    const command = config.commands.find(({ id }) => id.replaceAll(':', ' ') === words)
    const known = Object.values(command?.args ?? {}).flatMap(({ options = [] }) => options)
    const subcommands = [
      ...subcommandsOf(words, described),
      ...known.map((word) => ({ word, description: '' })),
    ]
    const asks = command && Object.values(command.args).some(({ name }) => kindOf(command, name))
    return { words, subcommands, asks: asks === true, flags: flagsOf(command) }
  })
}

function describeAll({ commands, topics }: Config): Map<string, string> {
  const all = [
    ...topics.map(({ name, description = '' }) => [name, description] as const),
    ...commands.map(({ id, summary = '' }) => [id, summary] as const),
  ]
  const described = all.map(([id, text]) => [id.replaceAll(':', ' '), firstSentence(text)] as const)
  // `help` is followed by the names of topics and commands, too.
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

function flagsOf(command: Command.Loadable | undefined): FlagChoice[] {
  if (!command) return [help]
  const flags = Object.values(command.flags).filter(({ hidden }) => !hidden)
  const choices = [...flags.flatMap((flag) => choicesOf(command, flag)), help]
  return choices.sort((left, right) => (left.word < right.word ? -1 : 1))
}

function choicesOf(command: Command.Loadable, flag: Command.Flag.Cached): FlagChoice[] {
  const description = firstSentence(flag.summary ?? flag.description ?? '')
  const short = flag.char && `-${flag.char}`
  const choice = { ...help, word: `--${flag.name}`, short, description }
  const asks = kindOf(command, flag.name) !== undefined
  if (flag.type === 'option')
    return [{ ...choice, takesValue: true, values: flag.options ?? [], asks }]
  return flag.allowNo ? [choice, { ...choice, word: `--no-${flag.name}` }] : [choice]
}

const help: FlagChoice = {
  word: '--help',
  description: 'Show help.',
  takesValue: false,
  values: [],
  asks: false,
}

/** A shell shows one line per choice. */
function firstSentence(text: string): string {
  return text.split(/\n|(?<=\.) /)[0] ?? ''
}

/** The lists that a running service can give. */
type Kind = 'organizations' | 'cooperatives' | 'clients' | 'endpoints' | 'operators' | 'orders'

/** By the name of a flag or of an argument. */
const kinds: Readonly<Record<string, Kind>> = {
  organization: 'organizations',
  cooperative: 'cooperatives',
  client: 'clients',
  webhook: 'endpoints',
  receiver: 'endpoints',
  operator: 'operators',
  order: 'orders',
  purchase: 'orders',
  purchases: 'orders',
}

function kindOf({ id, flags }: Command.Loadable, name: string): Kind | undefined {
  if (!('operator-url' in flags)) return undefined
  // Only a new operator has a name that the service does not know.
  const isOperator = id.startsWith('operator:') && id !== 'operator:create'
  return name === 'name' && isOperator ? 'operators' : kinds[name]
}

export interface Question {
  readonly kind: Kind
  /** For example `purchase:approve`. */
  readonly command: string
  /** The arguments before the last word. */
  readonly given: readonly string[]
}

/** @param words of a line, without the program @returns undefined if the service does not know the last one */
export function questionOf({ commands }: Config, words: readonly string[]): Question | undefined {
  const { command, rest } = commandOf(commands, words)
  if (!command) return undefined
  const given: string[] = []
  let kind: Kind | undefined
  let flag: Command.Flag.Cached | undefined
  for (const word of rest) {
    const [name = '', value] = word.split('=', 2)
    if (flag) {
      kind = kindOf(command, flag.name)
      flag = undefined
    } else if (word.startsWith('-')) {
      const found = flagCalled(command, name)
      kind = found && value !== undefined ? kindOf(command, found.name) : undefined
      flag = value === undefined && found?.type === 'option' ? found : undefined
    } else {
      kind = kindOfNext(command, given.length)
      given.push(word)
    }
  }
  return kind && { kind, command: command.id, given: given.slice(0, -1) }
}

function commandOf(commands: readonly Command.Loadable[], words: readonly string[]) {
  for (const length of [2, 1]) {
    const id = words.slice(0, length).join(':')
    const command = commands.find((one) => one.id === id)
    if (command && words.length > length) return { command, rest: words.slice(length) }
  }
  return { command: undefined, rest: [] }
}

function flagCalled({ flags }: Command.Loadable, word: string): Command.Flag.Cached | undefined {
  return Object.values(flags).find(({ name, char }) => word === `--${name}` || word === `-${char}`)
}

function kindOfNext(command: Command.Loadable, position: number): Kind | undefined {
  const all = Object.values(command.args)
  const arg = all[position] ?? all.at(-1)
  const isThere = arg && (position < all.length || (arg as { multiple?: boolean }).multiple)
  return isThere ? kindOf(command, arg.name) : undefined
}

/** The maximum number of orders: nobody reads a longer list. */
const mostOrders = 500

const statusesFor: Readonly<Record<string, readonly SharePurchaseStatus[]>> = {
  'purchase:approve': ['submitted'],
  'purchase:cancel': ['submitted'],
  'purchase:settle': ['approved'],
}

type Ask = (service: Connection, question: Question) => Promise<readonly Choice[]>

const asks: Readonly<Record<Kind, Ask>> = {
  organizations: async (service) =>
    (await service.call('organization.list', {})).map((one) =>
      choice(one.name, one.organization_id),
    ),
  cooperatives: async (service) =>
    (await service.call('cooperative.list', {})).map((one) => choice(one.key, one.name)),
  clients: async (service) =>
    (await service.call('client.list', {})).map((one) =>
      choice(one.client_id, one.organization, one.name),
    ),
  endpoints: async (service) =>
    (await service.call('webhook.list', {})).map((one) =>
      choice(one.webhook_endpoint_id, one.organization, one.url),
    ),
  operators: async (service) =>
    (await service.call('operator.list', {})).map((one) => choice(one.name, one.role, one.state)),
  orders: async (service, { command }) => {
    const found: Choice[] = []
    const statuses = statusesFor[command] ?? ['submitted' as const, 'approved' as const]
    const filters =
      command === 'purchase:confirm' ? [{ proposed: true }] : statuses.map((status) => ({ status }))
    for (const filter of filters) {
      const asked = { ...filter, limit: mostOrders }
      for await (const rows of service.list('purchase.list', asked)) {
        found.push(
          ...rows.map((one) =>
            choice(
              one.share_purchase_id,
              ...[one.organization, one.partner_customer_ref, one.cooperative],
              `${one.total} ${one.total_currency}`,
            ),
          ),
        )
      }
    }
    return found
  },
}

function choice(word: string, ...about: readonly (string | null)[]): Choice {
  return { word, description: about.filter((part) => part !== null).join(', ') }
}

/** Returns the words that can follow. Leaves out words that a shell would change or hide. */
export async function askService(
  service: Connection,
  question: Question,
): Promise<readonly Choice[]> {
  const { kind, given } = question
  const offered = await asks[kind](service, question)
  return offered.filter(
    ({ word }) => !given.includes(word) && !hasInvisible(word) && !/[\n\t]/.test(word),
  )
}
