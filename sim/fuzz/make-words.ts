// Makes valid command lines from the manifest of the program, and then changes many of them.
import type { Dice } from '../dice.ts'
import { mutateBytes, oddText } from './mutate.ts'
import type { Names } from './names.ts'

interface Flag {
  readonly name: string
  readonly type: string
  readonly char?: string
  readonly required?: boolean
  readonly options?: readonly string[]
  readonly helpValue?: string
  readonly helpGroup?: string
}

export interface CommandOfManifest {
  readonly args?: Readonly<Record<string, { readonly required?: boolean }>>
  readonly flags?: Readonly<Record<string, Flag>>
}

export type Commands = Readonly<Record<string, CommandOfManifest>>

/** Commands that are left out: `with` starts another program, and the others run until a signal. */
const never = new Set(['with', 'tail', 'journal:await'])
/** Commands that take long, so they are tried less often. */
const rarely = new Set(['serve', 'scenario:run', 'webhook:certify', 'webhook:receive', 'listen'])

/** The kind of record that an argument or the value of a flag names. */
const namedBy: Readonly<Record<string, string>> = {
  ORG: 'organization_id',
  organization: 'organization_id',
  client: 'client_id',
  COOP: 'cooperative_id',
  cooperative: 'cooperative_id',
  INVESTOR: 'investor_id',
  investor: 'investor_id',
  investors: 'investor_id',
  purchase: 'share_purchase_id',
  purchases: 'share_purchase_id',
  webhook: 'webhook_endpoint_id',
  event: 'event_id',
  events: 'event_id',
  secret: 'secret_id',
}

const valuesOf: Readonly<Record<string, readonly string[]>> = {
  TIME: ['1h', '3d', '0s', '2026-11-01', '2026-11-01T12:00:00Z', '1000000000d', '-1s', '1.5h'],
  INSTANT: ['2027-01-01T00:00:00Z', '2026-02-30', '+275760-09-13T00:00:00.001Z'],
  N: ['1', '0', '-1', '3', '1e3', '99999999999999999999', '0x10', '1.5', ' 1'],
  AMOUNT: ['100.00', '0.001', '-1', '1e9', '1,5', '99999999999999999999.99'],
  NUMBER: ['1.5', '-0', 'NaN', 'Infinity'],
  PERCENT: ['60', '101', '-1'],
  SECONDS: ['1', '0', '-5', '1e99'],
  STATUS: ['503', '99', '1000', '204'],
  CODE: ['RATE_LIMITED', '87435'],
  URL: [
    'http://127.0.0.1:1',
    'https://127.0.0.1:1/x',
    'ftp://127.0.0.1',
    'http://',
    '://',
    'http://[::1',
  ],
  FILE: ['fixtures.yaml', 'none', '.', '-', 'catalogue.csv', 'key', 'backup'],
  DIR: ['new', '.', 'fixtures.yaml', 'a/b/c'],
  KEYS: ['name', 'key,name', 'none', 'name,', ','],
  KEY: ['name', '-name', 'created_at', '--'],
  SECRET: ['whsec_0123456789abcdef0123456789abcdef', 'x'],
  VALUE: ['t=1,v1=00', 't=,v1='],
  UNIX: ['1700000000', '-1', '1e20'],
  ID: ['7b000000-0000-4000-8000-00000000c001', '7b00', 'POST /v1/investors'],
  key: ['sun', 'new-coop', 'x y'],
  name: ['Neobank', 'New', 'n'],
  files: ['fixtures.yaml', 'catalogue.csv', 'none', '.', '-'],
  file: ['backup', 'new-backup', '-', '.', 'none'],
  backup: ['backup', 'none'],
  directory: ['contract', '.', 'fixtures.yaml'],
  shell: ['bash', 'zsh', 'fish', 'sh'],
  text: ['Ada', 'Neobank', '7b00'],
  amount: ['100.00', '1,5', '-1'],
  operation: ['POST /v1/investors', 'issueToken', 'x'],
  url: ['https://receiver.example/hooks', 'http://127.0.0.1:1'],
  time: ['1h', '3d', '-1d', '1000000000d'],
  instant: ['2027-01-01T00:00:00Z'],
}

export class WordMaker {
  readonly #dice: Dice
  readonly #names: Names
  readonly #commands: readonly (readonly [string, CommandOfManifest])[]
  readonly #rare: readonly (readonly [string, CommandOfManifest])[]

  constructor(dice: Dice, names: Names, commands: Commands) {
    this.#dice = dice
    this.#names = names
    const all = Object.entries(commands).filter(([id]) => !never.has(id))
    this.#commands = all.filter(([id]) => !rarely.has(id))
    this.#rare = all.filter(([id]) => rarely.has(id))
  }

  make(): readonly string[] {
    const dice = this.#dice
    const [id = '', command = {}] = dice.pick(dice.chance(0.03) ? this.#rare : this.#commands) ?? []
    let words = [...id.split(':'), ...this.#args(command), ...this.#flags(command)]
    while (dice.chance(0.25)) words = this.#mutate(words)
    return words.map(argument)
  }

  #args({ args = {} }: CommandOfManifest): string[] {
    const dice = this.#dice
    const given = Object.entries(args).filter(([, arg]) => dice.chance(arg.required ? 0.95 : 0.6))
    return given.map(([name]) => this.#value(name))
  }

  #flags({ flags = {} }: CommandOfManifest): string[] {
    const dice = this.#dice
    const all = Object.values(flags)
    const chosen = all.filter(({ required, helpGroup, name }) => {
      if (required) return dice.chance(0.95)
      if (name === 'yes' || name === 'json') return dice.chance(0.4)
      return dice.chance(helpGroup === undefined ? 0.2 : 0.02)
    })
    return chosen.flatMap((flag) => this.#flag(flag))
  }

  #flag({ name, type, char, options, helpValue }: Flag): string[] {
    const dice = this.#dice
    const word = char !== undefined && dice.chance(0.3) ? `-${char}` : `--${name}`
    if (type === 'boolean') return [dice.chance(0.03) ? `${word}=true` : word]
    const value =
      options && dice.chance(0.85) ? (dice.pick(options) ?? '') : this.#value(helpValue ?? name)
    return dice.chance(0.5) ? [word, value] : [`${word}=${value}`]
  }

  #value(kind: string): string {
    const dice = this.#dice
    if (dice.chance(0.12)) return oddText(dice)
    const record = namedBy[kind]
    const known = record === undefined ? undefined : this.#names.pick(dice, record)
    if (known !== undefined) return dice.chance(0.1) ? known.slice(0, 8) : known
    return dice.pick(valuesOf[kind] ?? valuesOf['text'] ?? []) ?? ''
  }

  #mutate(words: readonly string[]): string[] {
    const dice = this.#dice
    const at = dice.below(words.length)
    const way = dice.weigh({ change: 4, remove: 3, repeat: 2, insert: 3, swap: 1, long: 0.3 })
    if (way === 'remove') return words.toSpliced(at, 1)
    if (way === 'repeat') return words.toSpliced(at, 0, words[at] ?? '')
    if (way === 'swap') return words.toSpliced(at, 2, words[at + 1] ?? '--', words[at] ?? '')
    if (way === 'long') return words.toSpliced(at, 1, (words[at] ?? 'a').repeat(20_000))
    if (way === 'insert') {
      const odd = dice.pick(['--', '-', '--json', '--help', '-h', `--${oddText(dice)}`, '=', '-o'])
      return words.toSpliced(at, 0, odd ?? oddText(dice))
    }
    if (words.length === 0) return [oddText(dice)]
    return words.with(at, mutateBytes(dice, Buffer.from(words[at] ?? '')).toString('utf8'))
  }
}

/** Arguments cannot contain a zero byte. These also must not lead out of the working directory. */
function argument(word: string): string {
  const text = Buffer.from(word).toString('utf8').replaceAll('\0', '')
  const withoutAddresses = text.replaceAll(/\w+:\/\//g, '')
  const isOutside = /(^|[^\w])\/|\.\.|~/.test(withoutAddresses)
  return (isOutside ? text.replaceAll('..', '.').replaceAll(/[/~]/g, '_') : text).slice(0, 120_000)
}
