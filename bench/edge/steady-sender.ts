import { fork } from 'node:child_process'
import { on, once } from 'node:events'
import { join } from 'node:path'
import type { Steady } from './open-loop.ts'
import type { Told } from './send-steadily.ts'
import type { SliceFigures } from './slice.ts'

const program = join(import.meta.dirname, 'send-steadily.ts')

/** Sends from a separate process. Returns the number of requests without an answer. */
export async function sendSteadily(
  steady: Steady,
  take: (slice: SliceFigures) => void,
): Promise<number> {
  const child = fork(program, { execArgv: ['--import', 'tsx'] })
  const ended = new AbortController()
  child.once('exit', () => ended.abort(new Error('The process that sends the requests has ended.')))
  child.send(steady)
  for await (const [message] of on(child, 'message', { signal: ended.signal })) {
    const told = message as Told
    if ('slice' in told) take(told.slice)
    else {
      child.disconnect()
      await once(child, 'exit')
      return told.unanswered
    }
  }
  return 0
}
