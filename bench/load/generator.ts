import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Burst, Outcome } from './load.ts'

const program = join(import.meta.dirname, 'generate.ts')

/** Whoever sends the requests: a process of its own, so that what it takes is not counted as the server's. */
export class Generator {
  readonly #child: ChildProcess = fork(program, { execArgv: ['--import', 'tsx'] })

  async send(burst: Burst): Promise<Outcome> {
    const answered = once(this.#child, 'message')
    this.#child.send(burst)
    const [outcome] = (await answered) as [Outcome]
    return outcome
  }

  stop(): void {
    this.#child.disconnect()
  }
}
