import { type Config, flush, Help, handle, ux } from '@oclif/core'
import { normalizeArgv } from '@oclif/core/help'
import { helpAddition, versionAddition } from '@oclif/core/run'
import { loadConfig, type Program } from './load-config.ts'
import { refuseUnknownCommand } from './refuse-unknown-command.ts'

/** oclif's own `run` looks for commands and hooks in files, and in one executable there are none. */
export async function runProgram(program: Program): Promise<void> {
  try {
    await run(await loadConfig(program), process.argv.slice(2))
    await flush()
  } catch (error) {
    await handle(error as Error)
  }
}

async function run(config: Config, argv: readonly string[]): Promise<void> {
  if (versionAddition([...argv], config)) return ux.stdout(config.userAgent)
  if (helpAddition([...argv], config)) return showHelp(config, argv)
  const [id = '', ...rest] = normalizeArgv(config, [...argv])
  const command = config.findCommand(id)
  if (command) await config.runCommand(id, rest, command)
  else if (config.findTopic(id)) await showHelp(config, [id])
  else refuseUnknownCommand({ config, id, argv: rest })
}

function showHelp(config: Config, argv: readonly string[]): Promise<void> {
  return new Help(config).showHelp([...argv])
}
