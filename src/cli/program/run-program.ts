import './unknown-user.ts'
import { type Command, Config, Errors, flush, handle, type Interfaces } from '@oclif/core'
import { normalizeArgv } from '@oclif/core/help'
import { helpAddition } from '@oclif/core/run'
import { exitCodes } from '../error-codes.ts'
import { describeError, exitCodeOf, renderError } from '../errors.ts'
import { describeLostOutput, ignoreLostOutput, watchOutput } from '../lost-output.ts'
import { printError, printJson, printTrusted, withShownText } from '../output.ts'
import { givenFormOf } from '../serve/log-form.ts'
import { keepStderrLog, writeFailedStart } from '../serve/log-lines.ts'
import { unknownCommand } from '../suggestions.ts'
import { findEncodingError } from './find-encoding-error.ts'
import { readHelp } from './help.ts'

const graceMs = 200

/** The `run` of oclif looks for commands and hooks in files, and a single executable has none. */
export async function runProgram(program: Program): Promise<void> {
  const argv = process.argv.slice(2)
  if (argv[0] === 'serve') {
    ignoreLostOutput()
    keepStderrLog(givenFormOf(argv, process.env))
  } else watchOutput()
  process.once('beforeExit', refuseEarlyEnd)
  try {
    await run(await loadConfig(program), argv)
    process.off('beforeExit', refuseEarlyEnd)
    if (await reportLostOutput()) process.exitCode ||= exitCodes.failed
    else await flush()
    // Connections to silent peers would keep the process alive.
    setTimeout(() => process.exit(), graceMs).unref()
  } catch (error) {
    process.off('beforeExit', refuseEarlyEnd)
    await reportLostOutput()
    await handle(withShownText(error) as Error)
  }
}

/** Node ends without an error if nothing is left that could settle a promise. */
function refuseEarlyEnd(): void {
  printError('Error: The command ended early, which is a fault of coopshare. Please report it.')
  process.exitCode = exitCodes.failed
}

async function reportLostOutput(): Promise<boolean> {
  const lost = await describeLostOutput()
  if (lost !== undefined) printError(`Error: ${lost}`)
  return lost !== undefined
}

async function run(config: Config, argv: readonly string[]): Promise<void> {
  const encodingError = findEncodingError(argv, process.env)
  if (encodingError) refuse(encodingError, argv)
  if (helpAddition([...argv], config)) return showHelp(config, argv)
  const [id = '', ...rest] = normalizeArgv(config, [...argv])
  const command = config.findCommand(id)
  if (command) await config.runCommand(id, rest, command)
  else if (config.findTopic(id)) await showHelp(config, argv)
  else refuse(unknownCommand(config, argv), argv)
}

async function showHelp(config: Config, argv: readonly string[]): Promise<void> {
  const firstFlag = argv.findIndex((word) => word.startsWith('-'))
  const words = firstFlag === -1 ? argv : argv.slice(0, firstFlag)
  try {
    printTrusted(await readHelp(config, words))
  } catch (error) {
    refuse(error as Error, argv)
  }
}

/** Ends the program with the same output as a failed command. */
function refuse(error: Error, argv: readonly string[]): never {
  const isJson = argv.includes('--json')
  if (isJson) printJson({ error: renderError(error) }, 'pretty')
  const isLogged = argv[0] === 'serve' && givenFormOf(argv, process.env) === 'json'
  if (isLogged) writeFailedStart(error)
  else if (!isJson) printError(`Error: ${describeError(error)}`)
  Errors.exit(exitCodeOf(error))
}

export interface Program {
  readonly pjson: object
  /** The commands of the manifest of oclif. With them, help and completion load no command. */
  readonly commands: Readonly<Record<string, object>>
  /** The module of a command. */
  readonly load: (id: string) => Promise<{ readonly default: unknown }>
}

/** The configuration of oclif, created without reading the disk. */
export async function loadConfig(program: Program): Promise<Config> {
  const plugin = asPlugin(program)
  const { pjson, root } = plugin
  return Config.load({ pjson, root, plugins: new Map([[plugin.name, plugin]]) })
}

/** oclif requires a root and never reads it. */
const root = '.'

function asPlugin({ pjson: json, commands, load }: Program): Interfaces.Plugin {
  const pjson = json as Interfaces.PJSON
  const { name, version } = pjson
  const plugin: Interfaces.Plugin = {
    _base: '',
    alias: name,
    name,
    version,
    type: 'core',
    pjson,
    root,
    options: { root },
    isRoot: true,
    valid: true,
    hasManifest: true,
    moduleType: 'module',
    hooks: {},
    commandsDir: undefined,
    commandIDs: Object.keys(commands),
    commands: Object.values(commands).map((cached) => {
      const command = cached as Command.Cached
      return { ...command, load: () => loadCommand(command.id) }
    }),
    topics: Object.entries(pjson.oclif.topics ?? {}).map(([name, topic]) => ({ ...topic, name })),
    findCommand: loadCommand,
    load: async () => {},
  }
  return plugin

  async function loadCommand(id: string): Promise<Command.Class> {
    const command = (await load(id)).default as Command.Class
    return Object.assign(command, { id, plugin })
  }
}
