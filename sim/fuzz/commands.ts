// Runs commands of the program in this process, each with the arguments that a terminal would pass.
import { mkdirSync, writeFileSync } from 'node:fs'
import { chown, copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { run } from '../../bin/program.ts'
import manifest from '../../oclif.manifest.json' with { type: 'json' }
import { startServing } from '../../src/cli/serve/start-serving.ts'
import { Dice } from '../dice.ts'
import { configOf } from '../service.ts'
import type { CorpusCommand } from './corpus.ts'
import { type Commands, WordMaker } from './make-words.ts'
import { mutateBytes, oddText } from './mutate.ts'
import { Names } from './names.ts'
import { type Finding, type FuzzResult, showsStack } from './result.ts'

const documentedCodes = new Set([0, 1, 2, 3, 4, 5])
/** The time after which a command that runs until a signal is stopped. */
const stopAfterMs = 3000
/** Stopping a service takes six seconds at most, and the machine may be busy. */
const longestMs = 60_000
const nobody = 65_534

interface Ran {
  readonly exitCode: number
  readonly stdout: string
  readonly output: string
}

const uncaught: Error[] = []
let endRunning: (exitCode: number) => void = () => undefined

/** Prepares this process for running the program many times, with few rights on this machine. */
export async function becomeProgram(): Promise<void> {
  const root = process.cwd()
  const directory = await mkdtemp(join(tmpdir(), 'coopshare-fuzz-'))
  await copyFile(join(root, 'examples', 'fixtures.yaml'), join(directory, 'fixtures.yaml'))
  for (const name of Object.keys(process.env)) {
    if (name.startsWith('COOPSHARE_') || name.startsWith('XDG_')) delete process.env[name]
  }
  Object.assign(process.env, { HOME: directory, NO_COLOR: '1', COLUMNS: '80' })
  process.chdir(directory)
  if (process.getuid?.() === 0) {
    for (const path of ['.', 'fixtures.yaml']) await chown(path, nobody, nobody)
    process.setgid?.(nobody)
    process.setuid?.(nobody)
  }
  // oclif's `flush` leaves a listener behind after each run.
  process.stdout.setMaxListeners(0)
  // After a success the program ends later and without a code, when another command is running.
  process.exit = ((code?: number) => {
    if (code !== undefined) endRunning(code)
  }) as typeof process.exit
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: Error) => uncaught.push(error))
  }
}

/** Removes the files that the commands have written. */
export async function removeFiles(): Promise<void> {
  await rm(process.cwd(), { recursive: true, force: true })
}

/** Runs one command as `bin/coopshare.ts` does. Returns undefined if the command does not end. */
async function runWords(words: readonly string[], stdin: Buffer): Promise<Ran | undefined> {
  const before = {
    argv: process.argv,
    stdout: process.stdout.write,
    stderr: process.stderr.write,
  }
  let [stdout, output] = ['', '']
  let end: (exitCode: number) => void = () => undefined
  const ended = new Promise<number>((resolve) => {
    end = resolve
  })
  endRunning = end
  const capture =
    (isOut: boolean) =>
    (chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean => {
      const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
      if (isOut) stdout += text
      output += text
      const done = rest.at(-1)
      if (typeof done === 'function') queueMicrotask(() => done())
      return true
    }
  process.argv = ['node', 'coopshare', ...words]
  process.exitCode = undefined
  process.stdout.write = capture(true) as typeof process.stdout.write
  process.stderr.write = capture(false) as typeof process.stderr.write
  const input = Readable.from(stdin.length > 0 ? [stdin] : [])
  Object.defineProperty(process, 'stdin', { value: input, configurable: true })
  const stopping = setInterval(() => process.emit('SIGTERM'), stopAfterMs)
  try {
    run().then(
      () => end(Number(process.exitCode ?? 0)),
      (error: Error) => {
        uncaught.push(error)
        end(1)
      },
    )
    const late = pause(longestMs, undefined, { ref: false })
    const exitCode = await Promise.race([ended, late])
    return exitCode === undefined ? undefined : { exitCode, stdout, output }
  } finally {
    clearInterval(stopping)
    process.argv = before.argv
    process.stdout.write = before.stdout
    process.stderr.write = before.stderr
    process.exitCode = undefined
    process.stdout.removeAllListeners('drain')
  }
}

/** Starts a service on a store with the data of the examples. */
class Place {
  readonly names = new Names()
  readonly data: string
  #close: (() => Promise<void>) | undefined

  private constructor(data: string) {
    this.data = data
  }

  static async begin(name: string, isServed: boolean): Promise<Place> {
    const place = new Place(name)
    process.env['COOPSHARE_DATA_DIR'] = name
    mkdirSync(name, { mode: 0o700 })
    for (const file of ['catalogue.csv', 'key']) writeFileSync(file, '')
    await runWords(['fixtures', 'apply', 'fixtures.yaml', '--yes'], noInput)
    await runWords(['store', 'backup', 'backup'], noInput)
    if (isServed) await place.#serve()
    for (const noun of ['organization', 'client', 'cooperative', 'investor', 'purchase', 'event']) {
      const listed = await runWords([noun, 'list', '--json'], noInput)
      if (listed?.exitCode !== 0) throw new Error(`${noun} list: ${listed?.output}`)
      const rows: readonly Record<string, unknown>[] = JSON.parse(listed.stdout)
      place.names.learn(rows)
      if (noun === 'cooperative') {
        for (const row of rows) place.names.add('cooperative_id', String(row['id']))
      }
    }
    return place
  }

  async #serve(): Promise<void> {
    const config = configOf({ environment: 'staging', backupEveryMs: undefined })
    const bench = {
      now: undefined,
      isRunning: false,
      seed: 1,
      movesWebhooks: false,
      movesTokens: false,
      contractPreview: undefined,
    }
    const serving = await startServing(
      {
        ...config,
        dataDirectory: this.data,
        logLevel: 'silent',
        bench,
        port: 0,
        operatorPort: 0,
        mailDirectory: 'mail',
        operatorToken: undefined,
      },
      async () => undefined,
    )
    this.#close = () => serving.close()
  }

  async end(): Promise<void> {
    await this.#close?.()
    await rm(this.data, { recursive: true, force: true })
  }
}

const noInput = Buffer.alloc(0)
let places = 0

export async function fuzzCommands(seed: number, count: number): Promise<FuzzResult> {
  const dice = new Dice(seed, 11)
  const findings: Finding[] = []
  const outcomes = new Map<string, number>()
  places += 1
  const place = await Place.begin(`data-${places}`, dice.chance(0.6))
  const maker = new WordMaker(dice, place.names, manifest.commands as unknown as Commands)
  let tried = 0
  while (tried < count && findings.length === 0) {
    tried += 1
    const words = maker.make()
    const stdin = dice.chance(0.5) ? mutateBytes(dice, Buffer.from(oddText(dice))) : noInput
    const ran = await runWords(words, stdin)
    const outcome = ran ? `exit code ${ran.exitCode}` : 'no end'
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    for (const fault of faultsOf(ran)) findings.push({ fault, input: shorten(words) })
  }
  await place.end()
  return { tried, outcomes: Object.fromEntries(outcomes), findings }
}

function faultsOf(ran: Ran | undefined): string[] {
  const thrown = uncaught.splice(0).map((error) => `uncaught: ${error.stack ?? String(error)}`)
  if (!ran) return [...thrown, 'the command does not end']
  const { exitCode, output } = ran
  if (!documentedCodes.has(exitCode)) thrown.push(`it ends with exit code ${exitCode}: ${output}`)
  if (showsStack(output)) thrown.push(`it shows a stack: ${output.slice(0, 2000)}`)
  return thrown
}

/** Shortens very long arguments for the report of a finding. */
function shorten(words: readonly string[]): readonly string[] {
  return words.map((word) => (word.length > 300 ? `${word.slice(0, 40)}…×${word.length}` : word))
}

export async function replayCommands(commands: readonly CorpusCommand[]): Promise<FuzzResult> {
  places += 1
  const place = await Place.begin(`data-${places}`, false)
  const findings: Finding[] = []
  for (const { words, expects, stdin = '' } of commands) {
    const filled = words.map((word) => place.names.fill(word))
    const ran = await runWords(filled, Buffer.from(stdin))
    const faults = faultsOf(ran)
    if (ran?.exitCode !== expects.exitCode) {
      faults.push(`exit code ${ran?.exitCode} instead of ${expects.exitCode}: ${ran?.output}`)
    }
    for (const fault of faults) findings.push({ fault, input: words })
  }
  await place.end()
  return { tried: commands.length, outcomes: {}, findings }
}
