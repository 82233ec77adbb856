import { once } from 'node:events'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'

/** What a service has used since the last question. */
export interface Turns {
  /** The longest time for which nothing else had its turn: on the CPU, and on the clock. */
  readonly turn: { readonly cpuMs: number; readonly ms: number }
  readonly cpuSeconds: number
  readonly residentBytes: number
  readonly peakBytes: number
}

/** How to start a service so that `readTurns` can ask about it. */
export function watchingOf(directory: string) {
  return {
    flags: ['--require', join(import.meta.dirname, 'turns.cjs')],
    variables: { COOPSHARE_BENCH_TURNS: socketOf(directory) },
  }
}

export async function readTurns(directory: string): Promise<Turns> {
  const socket = createConnection(socketOf(directory))
  await once(socket, 'connect')
  return (await json(socket)) as Turns
}

function socketOf(directory: string): string {
  return `${directory}.turns`
}
