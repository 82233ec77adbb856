import { hasFailed, lost, startWorker, type Worker } from './campaign.ts'
import type { Done, Task } from './worker.ts'
import { type Hazard, hazards } from './world.ts'

const mostTrials = 150
const longestMs = 60_000

/** Finds the fewest actions and hazards with which a seed still fails, and returns its story. */
export async function shrink(path: string, seed: number): Promise<string> {
  const worker = startWorker<Task, Done>(path)
  try {
    return await new Shrinking(worker, seed).run()
  } finally {
    worker.end()
  }
}

class Shrinking {
  readonly #worker: Worker<Task, Done>
  readonly #seed: number
  readonly #begunMs = performance.now()
  #trials = 0
  #skipped: number[] = []
  #hazards: readonly Hazard[] = hazards
  #failing: Done | undefined

  constructor(worker: Worker<Task, Done>, seed: number) {
    this.#worker = worker
    this.#seed = seed
  }

  async run(): Promise<string> {
    if (!(await this.#stillFails(this.#skipped, this.#hazards))) {
      return `The seed ${this.#seed} does not fail any more.`
    }
    for (const hazard of hazards) {
      const fewer = this.#hazards.filter((one) => one !== hazard)
      if (await this.#stillFails(this.#skipped, fewer)) this.#hazards = fewer
    }
    await this.#skipActions()
    return this.#tell()
  }

  /** Leaves out half of the actions first, and then smaller and smaller parts. */
  async #skipActions(): Promise<void> {
    const { actions = 0 } = this.#failing ?? {}
    for (let size = Math.ceil(actions / 2); size >= 1; size = Math.floor(size / 2)) {
      for (let from = 0; from < actions; from += size) {
        const part = Array.from({ length: Math.min(size, actions - from) }, (_, at) => from + at)
        const added = part.filter((action) => !this.#skipped.includes(action))
        if (added.length === 0) continue
        const skipped = [...this.#skipped, ...added]
        if (await this.#stillFails(skipped, this.#hazards)) this.#skipped = skipped
      }
    }
  }

  async #stillFails(skipped: readonly number[], dangers: readonly Hazard[]): Promise<boolean> {
    const isLate = performance.now() - this.#begunMs > longestMs
    if (this.#trials >= mostTrials || (isLate && this.#trials > 0)) return false
    this.#trials += 1
    const task = { seed: this.#seed, isTwice: false, hazards: dangers, skipped }
    const done = (await this.#worker.run(task)) ?? lost(task)
    if (!hasFailed(done)) return false
    this.#failing = done
    return true
  }

  #tell(): string {
    const { story = [], violations = [], actions = 0 } = this.#failing ?? {}
    const left = actions - this.#skipped.length
    return [
      `The seed ${this.#seed} fails with ${left} of ${actions} actions${this.#hazards.length > 0 ? `, and with ${this.#hazards.join(', ')}` : ''}:`,
      ...story.map((line) => `  ${line}`),
      ...(story.length === 0 ? violations : []),
      `Run it again: npm run sim -- --seeds 1 --seed ${this.#seed}`,
    ].join('\n')
  }
}
