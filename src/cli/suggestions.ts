import type { Errors, Interfaces } from '@oclif/core'
import { distance } from 'fastest-levenshtein'
import { invalid } from '../config/common-flags.ts'

/** @param id `purchase:aprove`, perhaps with arguments at its end */
export function unknownCommand(config: Interfaces.Config, id: string): Errors.CLIError {
  const typed = id.split(':')
  const suggestion = findSimilarCommand(typed, config)
  const count = suggestion?.split(' ').length ?? typed.length
  const [words, others] = [typed.slice(0, count).join(' '), typed.slice(count).join(' ')]
  if (words === 'with') {
    return invalid(`Write -- before the command: ${config.bin} with -- ${others}`)
  }
  const message =
    words === suggestion
      ? `"${config.bin} ${words}" takes no arguments. Leave out "${others}".`
      : `Unknown command "${words}". ${adviseOn(typed, config, suggestion)}`
  return invalid(message)
}

function adviseOn(
  [topic = '']: readonly string[],
  config: Interfaces.Config,
  suggestion: string | undefined,
): string {
  if (suggestion !== undefined) return `Did you mean "${config.bin} ${suggestion}"?`
  return config.findTopic(topic)
    ? `Run "${config.bin} ${topic} --help" to list its commands.`
    : `Run "${config.bin} --help" to list all commands.`
}

/** oclif counts arguments as part of the name, so only the first words are compared. */
function findSimilarCommand(
  typed: readonly string[],
  config: Interfaces.Config,
): string | undefined {
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
