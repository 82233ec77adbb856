import { randomUUID } from 'node:crypto'
import type { Dispatcher } from 'undici'
import type { Load } from './load.ts'
import { OpenedClient } from './opened-client.ts'

/** The pause after a broken connection. */
const breathMs = 50

/**
 * A connection that sends a request as soon as the previous one is answered, and checks each
 * answer.
 */
export class Connection {
  answers = 0
  /**
   * Milliseconds of each answer except the first one, which includes work that is done only once.
   */
  readonly times: number[] = []
  wrongCount = 0
  /** Describes the first wrong answer. */
  firstWrong: string | null = null
  readonly #load: Load
  readonly #opened: OpenedClient
  readonly #sent: readonly string[]
  readonly #bodies: readonly Buffer[]
  readonly #pieces: readonly Buffer[]
  #next: number
  #startedAt = 0
  #status = 0
  #chunks: Buffer[] = []
  #isFinishing = false
  #hasEnded = false
  #onEnd = () => {}

  /**
   * Makes one of `count` connections. Each starts at another path, as independent clients would.
   */
  constructor(load: Load, number: number, count: number) {
    this.#load = load
    const origins = [load.origin, ...(load.otherOrigins ?? [])]
    this.#opened = new OpenedClient(origins[number % origins.length] ?? load.origin)
    this.#sent = [load.body ?? []].flat()
    this.#bodies = load.expected.bodies?.map((text) => Buffer.from(text)) ?? []
    this.#pieces = load.expected.contains?.map((text) => Buffer.from(text)) ?? []
    this.#next = Math.floor((number * load.paths.length) / count)
  }

  open(): Promise<void> {
    return this.#opened.open()
  }

  async run(): Promise<void> {
    const ended = new Promise<void>((resolve) => {
      this.#onEnd = resolve
    })
    this.#send()
    await ended
    await this.#opened.client.destroy()
  }

  /** Sends no further request. */
  finish(): void {
    this.#isFinishing = true
  }

  /** Stops waiting for answers. */
  giveUp(why: string): void {
    if (this.#hasEnded) return
    this.#refuse(why)
    this.#end()
  }

  #end(): void {
    this.#hasEnded = true
    this.#onEnd()
  }

  #send(): void {
    if (this.#hasEnded) return
    if (this.#isFinishing) {
      this.#end()
      return
    }
    const { method, paths } = this.#load
    const path = paths[this.#next % paths.length] ?? '/'
    const body = this.#nextBody()
    this.#chunks = []
    this.#startedAt = performance.now()
    this.#opened.client.dispatch({ method, path, headers: this.#headers(), body }, this.#handler)
  }

  #nextBody(): string | null {
    const { paths } = this.#load
    // The bodies shift whenever the paths start again. Otherwise, a path would always get the same
    // body. A single path needs no shift, which would leave out every other body.
    const shift = paths.length === 1 ? 0 : Math.floor(this.#next / paths.length)
    const turn = this.#next + shift
    return this.#sent[turn % this.#sent.length] ?? null
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
      if (this.#hasEnded) return
      this.#refuse(`the connection broke: ${error.message}`)
      setTimeout(() => this.#send(), breathMs)
    },
  }

  #take(): void {
    if (this.answers > 0) this.times.push(performance.now() - this.#startedAt)
    this.answers += 1
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

  #refuse(what: string): void {
    this.wrongCount += 1
    this.firstWrong ??= what
  }
}
