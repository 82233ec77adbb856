import { join } from 'node:path'
import { type Child, startChild } from './children.ts'

/** A server of bench/peers in a process of its own. */
export function startPeer(name: string, ...argv: readonly string[]): Promise<Child> {
  const file = join('peers', `${name}.js`)
  return startChild([process.execPath, file, ...argv], { cwd: import.meta.dirname })
}
