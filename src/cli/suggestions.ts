import type { Errors, Interfaces } from '@oclif/core'
import { distance } from 'fastest-levenshtein'
import { invalid } from '../config/common-flags.ts'
import { quoteWord } from '../domain/text.ts'
import { otherWords, topicsOfWords, verbsOfWords } from './other-words.ts'

type Config = Interfaces.Config

/** @param line what the user typed, such as `purchase aprove ID --json` */
export function unknownCommand(config: Config, line: readonly string[]): Errors.CLIError {
  const flag = line.findIndex((word) => word.startsWith('-'))
  const words = flag === -1 ? line : line.slice(0, flag)
  const [first = '', ...rest] = words
  const typed = [...first.split(':'), ...rest]
  return invalid(
    adviseOnMeaning(config, typed, line) ??
      adviseOnOtherWord(config, typed) ??
      adviseOnSpelling(config, typed),
  )
}

/** An error must not repeat a secret. */
const secret = /^--(secret|database-url|smtp-url)\b|:\/\/[^/]*@/

/** `order list`, `list orders` and `approve ID` are other words for a command. */
function adviseOnMeaning(
  config: Config,
  typed: readonly string[],
  line: readonly string[],
): string | undefined {
  const [first = '', second = ''] = typed.map((word) => word.toLowerCase())
  const pairs = [
    [topicOf(config, first), second],
    [topicOf(config, second), first],
  ] as const
  const [id] = pairs.flatMap(([topic, verb]) =>
    topic ? (commandIn(config, topic, verb) ?? []) : [],
  )
  const isOther = otherWords.some(({ words }) => words.includes(first))
  const alone = isOther || config.findTopic(first) ? [] : commandsCalled(config, first)
  const meant = id ?? (alone.length === 1 ? alone[0] : undefined)
  if (meant === undefined) return undefined
  const length = id === undefined ? 1 : 2
  const words = meant.replace(':', ' ')
  // The command was found by its own words, so its arguments are wrong.
  if (words === typed.slice(0, length).join(' ')) return undefined
  // The first word may have been two, with a colon.
  const rest = line.slice(line[0]?.includes(':') ? length - 1 : length)
  const isSecret = rest.some((word) => secret.test(word))
  const command = [config.bin, words, ...(isSecret ? ['…'] : rest.map(quoteWord))].join(' ')
  return `Unknown command "${typed.slice(0, length).join(' ')}". Did you mean "${command}"?`
}

function adviseOnOtherWord(config: Config, typed: readonly string[]): string | undefined {
  const [first = '', ...rest] = typed.map((word) => word.toLowerCase())
  const unknown = `Unknown command "${first}".`
  const other = otherWords.find(({ words }) => words.includes(first))
  if (other) {
    const { advice = 'Perhaps you mean one of these:', commands = [] } = other
    return [`${unknown} ${advice}`, ...listCommands(config, commands)].join('\n')
  }
  if (config.findTopic(first)) return undefined
  const topic = topicOf(config, first)
  if (topic !== undefined) {
    if (rest.length > 0) return adviseOnSpelling(config, [topic, ...rest])
    const ofTopic = config.commandIDs.filter((id) => id.startsWith(`${topic}:`))
    return [`${unknown} Here it is called "${topic}":`, ...listCommands(config, ofTopic)].join('\n')
  }
  const called = commandsCalled(config, first)
  if (called.length === 0) return undefined
  return [`${unknown} These commands have this name:`, ...listCommands(config, called)].join('\n')
}

/** @returns a line for each command */
function listCommands(config: Config, ids: readonly string[]): string[] {
  const names = ids.map((id) => `${config.bin} ${id.replace(':', ' ')}`)
  const width = Math.max(0, ...names.map((name) => name.length))
  return ids.map((id, index) => {
    const { summary = '' } = config.findCommand(id.replace(' ', ':')) ?? {}
    return `  ${(names[index] ?? '').padEnd(width)}  ${summary}`
  })
}

function topicOf(config: Config, word: string): string | undefined {
  return [word, word.replace(/s$/, '')]
    .flatMap((form) => (config.findTopic(form) ? form : (topicsOfWords.get(form) ?? [])))
    .at(0)
}

function commandIn(config: Config, topic: string, verb: string): string | undefined {
  return [verb, ...(verbsOfWords.get(verb) ?? [])]
    .map((name) => `${topic}:${name}`)
    .find((id) => config.commandIDs.includes(id))
}

/** `rotate` also stands for `rotate-secret`. */
function commandsCalled(config: Config, verb: string): string[] {
  const names = [verb, ...(verbsOfWords.get(verb) ?? [])]
  return config.commandIDs.filter((id) => {
    const [, last = ''] = id.split(':')
    return names.some((name) => last === name || last.startsWith(`${name}-`))
  })
}

function adviseOnSpelling(config: Config, typed: readonly string[]): string {
  const suggestion = findSimilarCommand(typed, config)
  const count = suggestion?.split(' ').length ?? typed.length
  const [words, others] = [typed.slice(0, count).join(' '), typed.slice(count).join(' ')]
  if (words === 'with') {
    return `Write -- before the command: ${config.bin} with -- ${others}`
  }
  return words === suggestion
    ? `"${config.bin} ${words}" takes no arguments. Leave out "${others}".`
    : `Unknown command "${words}". ${adviseOn(typed, config, suggestion)}`
}

function adviseOn(
  [topic = '']: readonly string[],
  config: Config,
  suggestion: string | undefined,
): string {
  if (suggestion !== undefined) return `Did you mean "${config.bin} ${suggestion}"?`
  return config.findTopic(topic)
    ? `Run "${config.bin} ${topic} --help" to list its commands.`
    : `Run "${config.bin} --help" to list all commands.`
}

/** oclif counts arguments as part of the name, so only the first words are compared. */
function findSimilarCommand(typed: readonly string[], config: Config): string | undefined {
  const commands = config.commandIDs.filter((id) => !config.findCommand(id)?.hidden)
  const topics = typed.length === 1 ? config.topics.map(({ name }) => name) : []
  const names = [...commands, ...topics].map((id) => id.split(':'))
  const closest = findClosest(names, (words) => {
    // Infinite if one of the words is too different.
    const wrongLetters = words.map((word, index) => countWrongLetters(typed[index] ?? '', word))
    return wrongLetters.reduce((sum, letters) => sum + letters, 0)
  })
  return closest?.join(' ')
}

const heading = /^The following errors? occurred:\n\s*/

/** @returns the error with a suggestion if it is about unknown flags; otherwise without a heading of oclif */
export function suggestFlags(error: Error, known: readonly string[]): Error {
  if (heading.test(error.message)) {
    const faults = error.message.replace(heading, '')
    return invalid(faults.replaceAll(/Missing required flag (\S+)/g, 'Missing required flag --$1'))
  }
  if (!('flags' in error && Array.isArray(error.flags))) return error
  const unknown: readonly string[] = error.flags
  // `limti` for `--limti=5`.
  const similar = new Set(
    unknown.flatMap((flag) => findSimilar(flag.replaceAll(/^-+|=.*$/gs, ''), known) ?? []),
  )
  if (similar.size === 0) return error
  const [fault, ...advice] = error.message.split('\n')
  const meant = [...similar].map((name) => `--${name}`).join(' and ')
  const message = [`${fault}. Did you mean ${meant}?`, ...advice].join('\n')
  return invalid(message)
}

interface Flag {
  readonly char?: string | undefined
  readonly env?: string | undefined
}

const more = '\nSee more help with --help'

/**
 * Says where a wrong value stands: in a flag, or in a variable that the user may have forgotten.
 *
 * @param flags that the command reads, by name
 */
export function nameSetting(
  error: Error,
  {
    flags,
    argv,
  }: { readonly flags: Readonly<Record<string, Flag>>; readonly argv: readonly string[] },
): Error {
  const [, parsed, detail = ''] = /^Parsing --(\S+) \n\t(.*)\nSee more/s.exec(error.message) ?? []
  const [, option] = /^Expected --([\w-]+)=/.exec(error.message) ?? []
  const name = parsed ?? option
  if (name === undefined) return error
  const fault = parsed === undefined ? error.message.replace(more, '') : detail
  const { char, env } = flags[name] ?? {}
  const words = [`--${name}`, `--${name}=`, ...(char ? [`-${char}`] : [])]
  const isTyped = argv.some((word) => words.some((one) => one === word || isStart(one, word)))
  const place = isTyped || env === undefined ? `--${name}` : env
  return invalid(`${fault.includes(place) ? fault : `${place}: ${fault}`}${more}`)
}

/** `--port=80` and `-ojson` begin with a flag. */
function isStart(flag: string, word: string): boolean {
  return (flag.endsWith('=') || !flag.startsWith('--')) && word.startsWith(flag)
}

/** @returns the known word that is closest to the typed one; undefined if all are too different */
export function findSimilar(typed: string, known: readonly string[]): string | undefined {
  return findClosest(known, (word) => countWrongLetters(typed, word))
}

function findClosest<Name>(
  names: readonly Name[],
  wrongLettersIn: (name: Name) => number,
): Name | undefined {
  const [best] = names
    .map((name) => ({ name, wrongLetters: wrongLettersIn(name) }))
    .filter(({ wrongLetters }) => Number.isFinite(wrongLetters))
    .sort((left, right) => left.wrongLetters - right.wrongLetters)
  return best?.name
}

/** With more wrong letters, a suggestion would only be a guess. */
const wrongPart = 0.5

/** Infinite if the words are too different. */
function countWrongLetters(typed: string, word: string): number {
  const letters = distance(typed, word)
  return letters <= word.length * wrongPart ? letters : Number.POSITIVE_INFINITY
}
