import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Burst, Outcome } from './load.ts'

const program = join(import.meta.dirname, 'generate.ts')

/** Sends requests from a separate process, so that its CPU does not count as the server's. */
export class Generator {
  readonly #child: ChildProcess = fork(program, { execArgv: ['--import', 'tsx'] })
  readonly #failed = once(this.#child, 'exit').then(([code, signal]) => {
    throw new Error(`The process that sends the requests ended with ${code ?? signal}.`)
  })
  readonly #answers = new Map<string, number>()

  constructor() {
    this.#failed.catch(() => {})
  }

  /** Returns a function that sends on the opened connections. */
  async open(burst: Burst): Promise<() => Promise<Outcome>> {
    await this.#ask(burst)
    return async () => {
      const outcome = (await this.#ask('go')) as Outcome
      const { origin } = burst.load
      this.#answers.set(origin, this.answersFrom(origin) + outcome.answers)
      return outcome
    }
  }

  async send(burst: Burst): Promise<Outcome> {
    const send = await this.open(burst)
    return send()
  }

  /** Counts all bursts, including those that are not measured. */
  answersFrom(origin: string): number {
    return this.#answers.get(origin) ?? 0
  }

  async #ask(question: Burst | 'go'): Promise<unknown> {
    const answered = once(this.#child, 'message')
    this.#child.send(question)
    const [answer] = await Promise.race([answered, this.#failed])
    return answer
  }

  stop(): void {
    if (this.#child.connected) this.#child.disconnect()
  }
}
