// The service for fuzzed requests. It runs on a simulated computer where nothing fails, without rate
// limits, and requests go to the app directly.

import { setTimeout as realPause } from 'node:timers/promises'
import { startServing } from '../../src/cli/serve/start-serving.ts'
import { eachRateLimit } from '../../src/domain/rate-limits.ts'
import type { SendOutcome } from '../../src/domain/webhooks/delivery.ts'
import type { WebhookSender } from '../../src/ports/webhook-sender.ts'
import { Computer, type Process } from '../computer.ts'
import { Dice } from '../dice.ts'
import { Disk } from '../disk.ts'
import { Loop, settled } from '../loop.ts'
import { configOf } from '../service.ts'

export type Door = 'partners' | 'operators'

interface App {
  fetch(request: Request): Response | Promise<Response>
}

/** A request without an answer after this simulated time counts as a hang. No request may wait so long. */
const longestMs = 600_000
/** After this time, the answer may be waiting for another thread of this machine, such as zlib's. */
const simulatedMs = 60_000
const realMs = 2
const mostRealWaits = 2000

export const origins: Readonly<Record<Door, string>> = {
  partners: 'http://127.0.0.1:8080',
  operators: 'http://127.0.0.1:8081',
}

export class FuzzedService {
  readonly loop: Loop
  readonly #computer: Computer
  readonly #apps = new Map<Door, App>()
  readonly #dice: Dice
  #process: Process | undefined
  /** The last errors in the log, which explain an answer with 500. */
  readonly errors: string[] = []

  private constructor(seed: number) {
    this.loop = new Loop(new Dice(seed, 2))
    const disk = new Disk()
    for (const path of ['/data', '/mail']) disk.makeDirectory(path)
    disk.syncNames('/')
    this.#computer = new Computer(this.loop, new Dice(seed, 3), disk)
    this.#dice = new Dice(seed, 4)
  }

  static async begin(seed: number): Promise<FuzzedService> {
    const made = new FuzzedService(seed)
    await made.drive([made.#start()])
    return made
  }

  async #start(): Promise<void> {
    this.#process = this.#computer.startProcess()
    const environment = this.#dice.chance(0.5) ? 'staging' : 'production'
    const limits = eachRateLimit(() => 1e9)
    const config = { ...configOf({ environment, backupEveryMs: undefined }), limits }
    const logger = { info: () => undefined, warn: () => undefined, error: this.#noteError }
    await startServing(config, async () => undefined, {
      listen: async ({ portSetting }) => {
        const door = portSetting.startsWith('--port') ? 'partners' : 'operators'
        return {
          port: door === 'partners' ? 8080 : 8081,
          inFlight: () => 0,
          answerWith: (app) => void this.#apps.set(door, app),
          endConnections: () => undefined,
          close: async () => undefined,
        }
      },
      openLogger: async () => ({ ...logger, limited: logger, flush: async () => undefined }),
      isProcessMeasured: false,
      webhookSender: this.#sender(),
    })
  }

  readonly #noteError = (fields: object, message: string): void => {
    const values = Object.entries(fields).map(([name, value]) => [
      name,
      value instanceof Error ? value.stack : value,
    ])
    this.errors.push(`${message} ${JSON.stringify(Object.fromEntries(values))}`)
    if (this.errors.length > 20) this.errors.shift()
  }

  /** Creates receivers that mostly answer. */
  #sender(): WebhookSender {
    const outcome = (took: number): SendOutcome => ({
      address: '192.0.2.7',
      detail: null,
      durationMs: took,
      firstByteMs: took,
      ...(this.#dice.chance(0.8)
        ? { status: 204, failure: null }
        : { status: 500, failure: 'status', detail: 'The receiver answered 500.' }),
    })
    return {
      findAddressError: async () => undefined,
      inspectAddresses: async () => ({ addresses: ['192.0.2.7'], notPublic: [], fault: null }),
      inspectCertificate: async () => ({
        issuer: 'simulated',
        validTo: null,
        asksForCertificate: false,
        fault: null,
      }),
      send: () => {
        const took = this.#dice.between(2, 300)
        return this.loop.reply(took, this.#process, () => outcome(took))
      },
    }
  }

  answer(door: Door, request: Request): Promise<Response> {
    const app = this.#apps.get(door)
    if (!app) throw new Error('The service does not listen.')
    return Promise.resolve(app.fetch(request))
  }

  /** Runs the loop until all the work is done. Returns false if some of it never ends. */
  async drive(work: readonly Promise<unknown>[]): Promise<boolean> {
    let open = work.length
    const done = () => {
      open -= 1
    }
    for (const each of work) each.then(done, done)
    await settled()
    const begunMs = this.loop.nowMs
    let waits = 0
    while (open > 0) {
      const tookMs = this.loop.nowMs - begunMs
      if (tookMs > simulatedMs && waits < mostRealWaits) {
        waits += 1
        await realPause(realMs)
        if (tookMs > longestMs) continue
      }
      if (tookMs > longestMs || !(await this.loop.next())) return false
    }
    return true
  }

  /** Runs everything that is due in this time, such as deliveries and retries. */
  rest(ms: number): Promise<void> {
    return this.loop.runUntil(this.loop.nowMs + ms)
  }

  end(): void {
    if (this.#process) this.#process.isDead = true
  }
}
