import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { Errors } from '@oclif/core'
import { invalid } from '../../config/common-flags.ts'
import { id, text, view } from '../../wire/view.ts'
import { FailedStart, type StartedService, startService } from '../testing/start-service.ts'

/** What `with` reports when the service of its command is ready. */
export const serviceOfCommand = view<StartedService>()('Service of a command', {
  base_url: text('Address of the partner API.', (it) => it.url),
  operator_url: text('Address of the operator endpoint.', (it) => it.operatorUrl),
  client_id: id('Client whose secret the command gets.', (it) => it.clientId),
})

/**
 * Runs a command and its service for the same time. @returns the exit code of the command, as a
 * shell would report it
 */
export async function runWithService(given: {
  readonly fixtures: readonly string[]
  /** Flags for `serve`. */
  readonly args: readonly string[]
  readonly command: readonly string[]
  /** Called once, when the service is ready. */
  readonly greet: (service: StartedService) => void
}): Promise<number> {
  const { fixtures, args, command, greet } = given
  const start = { program: ownProgram(), fixtures, args }
  const service = await startService(start).catch((error) => {
    if (!(error instanceof FailedStart)) throw error
    const { message, code, exitCode } = error
    // The command fails as `serve` does.
    throw new Errors.CLIError(message, { code, exit: exitCode })
  })
  try {
    greet(service)
    return await runCommand(command, {
      COOPSHARE_URL: service.url,
      COOPSHARE_CLIENT_ID: service.clientId,
      COOPSHARE_CLIENT_SECRET: service.clientSecret,
      COOPSHARE_OPERATOR_URL: service.operatorUrl,
      COOPSHARE_OPERATOR_TOKEN: service.operatorToken,
    })
  } finally {
    await service.close()
  }
}

/** The words of a command line that start this program again. */
function ownProgram(): readonly string[] {
  const { execPath, argv } = process
  const [, script = ''] = argv
  if (process.getBuiltinModule('node:sea')?.isSea()) return [execPath]
  return 'deno' in process.versions ? [execPath, 'run', '-A', script] : [execPath, script]
}

/**
 * Sends SIGTERM to the command even if this process was killed by SIGKILL. A shell sends it when a pipe that this
 * process holds ends. Without a shell, the command is not guarded.
 */
function guard(pid: number): () => void {
  const shell = spawn('sh', ['-c', 'read -r _; kill -TERM "$1"', 'sh', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Ctrl-C at a terminal must not end the shell.
    detached: true,
  })
  shell.on('error', () => undefined)
  shell.unref()
  return () => shell.kill('SIGKILL')
}

async function runCommand(
  [program = '', ...argv]: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<number> {
  const child = spawn(program, argv, { stdio: 'inherit', env: { ...process.env, ...variables } })
  const pass = (signal: NodeJS.Signals) => {
    // A terminal sends SIGINT to both processes.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, pass)
  const release = child.pid === undefined ? () => {} : guard(child.pid)
  try {
    const [code, signal] = await once(child, 'close')
    return code ?? 128 + constants.signals[signal as NodeJS.Signals]
  } catch (error) {
    throw invalid(`The command ${program} could not be run: ${(error as Error).message}`)
  } finally {
    release()
    for (const signal of signals) process.off(signal, pass)
  }
}
