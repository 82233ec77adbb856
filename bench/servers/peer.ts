import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import { type Child, startChild } from './child-process.ts'

/** Starts a server of bench/peers in a separate process, which logs to a file. */
export async function startPeer(
  bench: Bench,
  name: string,
  ...argv: readonly string[]
): Promise<Child> {
  const logFile = join(bench.directory, `${name.replaceAll('/', '-')}.log`)
  const command = [process.execPath, join('peers', `${name}.js`), ...argv] as const
  const cwd = join(import.meta.dirname, '..')
  return bench.stopAtEnd(await startChild(command, { cwd, logFile }))
}
