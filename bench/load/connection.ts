import { randomUUID } from 'node:crypto'
import { Client, type Dispatcher } from 'undici'
import type { Load } from './load.ts'

/** One connection that sends a request as soon as the last one is answered, and looks at each answer. */
export class Connection {
  /** Milliseconds of each answer but the first. */
  readonly times: number[] = []
  /** Milliseconds until there was a connection and an answer on it. */
  connectMs: number | undefined
  readonly statuses = new Map<number, number>()
  wrongCount = 0
  /** What the first wrong answer was. */
  wrong: string[] = []
  readonly #load: Load
  readonly #client: Client
  readonly #bodies: readonly Buffer[]
  readonly #pieces: readonly Buffer[]
  #next: number
  #startedAt = 0
  #status = 0
  #chunks: Buffer[] = []
  #isFinishing = false
  #ended = () => {}

  constructor(load: Load, number: number) {
    this.#load = load
    this.#client = new Client(load.origin, { pipelining: 1, connectTimeout: 120_000 })
    this.#bodies = load.expected.bodies?.map((text) => Buffer.from(text)) ?? []
    this.#pieces = load.expected.contains?.map((text) => Buffer.from(text)) ?? []
    this.#next = number
  }

  async run(): Promise<void> {
    const ended = new Promise<void>((resolve) => {
      this.#ended = resolve
    })
    this.#send()
    await ended
    await this.#client.destroy()
  }

  finish(): void {
    this.#isFinishing = true
    // Where the system still asks for a connection, it may do so for a minute.
    if (this.connectMs === undefined) this.#ended()
  }

  #send(): void {
    if (this.#isFinishing) {
      this.#ended()
      return
    }
    const { method, body = null, paths } = this.#load
    const path = paths[this.#next % paths.length] ?? '/'
    this.#chunks = []
    this.#startedAt = performance.now()
    this.#client.dispatch({ method, path, headers: this.#headers(), body }, this.#handler)
  }

  #headers(): Readonly<Record<string, string>> {
    const { headers, hasKeys } = this.#load
    return hasKeys ? { ...headers, 'idempotency-key': randomUUID() } : headers
  }

  readonly #handler: Dispatcher.DispatchHandler = {
    onRequestStart: () => {},
    onResponseStart: (_controller, status) => {
      this.#status = status
    },
    onResponseData: (_controller, chunk) => {
      this.#chunks.push(chunk)
    },
    onResponseEnd: () => this.#take(),
    onResponseError: (_controller, error) => {
      if (this.#isFinishing) return
      this.#count(0)
      this.#refuse(`the connection broke: ${error.message}`)
      setImmediate(() => this.#send())
    },
  }

  #take(): void {
    const milliseconds = performance.now() - this.#startedAt
    if (this.connectMs === undefined) this.connectMs = milliseconds
    else this.times.push(milliseconds)
    this.#count(this.#status)
    this.#check(this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks))
    this.#next += 1
    this.#send()
  }

  #check(body: Buffer = Buffer.alloc(0)): void {
    if (!this.#isRight(body)) this.#refuse(`${this.#status} ${body.toString('utf8', 0, 300)}`)
  }

  #isRight(body: Buffer): boolean {
    if (this.#status !== this.#load.expected.status) return false
    const wanted = this.#bodies[this.#bodies.length === 1 ? 0 : this.#next % this.#bodies.length]
    if (wanted && !wanted.equals(body)) return false
    return this.#pieces.every((piece) => body.includes(piece))
  }

  #count(status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
  }

  #refuse(what: string): void {
    this.wrongCount += 1
    if (this.wrong.length === 0) this.wrong.push(what)
  }
}
