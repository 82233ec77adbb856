import { join } from 'node:path'
import { type Child, startChild } from './children.ts'

/** Starts a server of bench/peers in a separate process. */
export function startPeer(name: string, ...argv: readonly string[]): Promise<Child> {
  return startLoggedPeer('/dev/null', name, ...argv)
}

/** The peer writes its log to a file. */
export function startLoggedPeer(
  logFile: string,
  name: string,
  ...argv: readonly string[]
): Promise<Child> {
  const file = join('peers', `${name}.js`)
  return startChild([process.execPath, file, ...argv], { cwd: import.meta.dirname, logFile })
}
