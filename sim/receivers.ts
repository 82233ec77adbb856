import { createHmac } from 'node:crypto'
import type { SendOutcome } from '../src/domain/webhooks/delivery.ts'
import { LocalFault, type WebhookRequest, type WebhookSender } from '../src/ports/webhook-sender.ts'
import type { Dice } from './dice.ts'
import type { Loop } from './loop.ts'

export type Mood = 'answers' | 'fails' | 'hangs' | 'drips' | 'loses answers' | 'is gone' | 'mixed'

/** The events about one order that one receiver has got. */
interface Line {
  /** Events, in the order in which each was first seen. */
  readonly seen: string[]
  readonly bodies: Map<string, string>
}

export interface Receiver {
  readonly url: string
  readonly organizationId: string
  mood: Mood
  /** The newest signing secret. */
  secret: string
  /** Somebody has begun to remove it. */
  isRemoved: boolean
  /** After this it must get nothing more. */
  untilMs: number
  /** Whether a rotation has had no answer yet. */
  isSecretUnknown: boolean
  readonly lines: Map<string, Line>
  /** For each event, the number of attempts that the service knows to have succeeded. */
  readonly delivered: Map<string, number>
  readonly failed: Map<string, number>
}

const attempts = 6
const none = { address: '192.0.2.7', firstByteMs: null, status: null }

interface Sent {
  readonly id: string
  readonly type: string
  readonly data: { readonly share_purchase_id?: string }
}

/** The programs of partners that get webhooks, and the network between them and the service. */
export class Receivers implements WebhookSender {
  readonly all = new Map<string, Receiver>()
  sent = 0
  readonly #loop: Loop
  readonly #dice: Dice
  readonly #onFault: (fault: string) => void
  areWell = false

  constructor(loop: Loop, dice: Dice, onFault: (fault: string) => void) {
    this.#loop = loop
    this.#dice = dice
    this.#onFault = onFault
  }

  add(url: string, organizationId: string, secret: string): Receiver {
    const made: Receiver = {
      url,
      organizationId,
      mood: 'answers' as const,
      secret,
      isSecretUnknown: false,
      isRemoved: false,
      untilMs: Number.POSITIVE_INFINITY,
      lines: new Map(),
      delivered: new Map(),
      failed: new Map(),
    }
    this.all.set(url, made)
    return made
  }

  async findAddressError(): Promise<undefined> {
    return undefined
  }

  async inspectAddresses() {
    return { addresses: ['192.0.2.7'], notPublic: [], fault: null }
  }

  async inspectCertificate() {
    return { issuer: 'simulated', validTo: null, asksForCertificate: false, fault: null }
  }

  send(request: WebhookRequest): Promise<SendOutcome> {
    const { signal } = request
    return new Promise((resolve, reject) => {
      const onAbort = () => reject(signal?.reason as Error)
      if (signal?.aborted) return onAbort()
      signal?.addEventListener('abort', onAbort, { once: true })
      this.#deliver(request)
        .then(resolve, reject)
        .finally(() => signal?.removeEventListener('abort', onAbort))
    })
  }

  async #deliver(request: WebhookRequest): Promise<SendOutcome> {
    this.sent += 1
    const receiver = this.all.get(request.url)
    if (!receiver) {
      await this.#loop.pause(this.#dice.between(1, 50))
      return this.#failure('dns', 1)
    }
    const body = Buffer.from(request.body).toString('utf8')
    const { id } = JSON.parse(body) as { id: string }
    const outcome = await this.#answer(receiver, request, body)
    const counted = outcome.failure === null ? receiver.delivered : receiver.failed
    counted.set(id, (counted.get(id) ?? 0) + 1)
    return outcome
  }

  async #answer(receiver: Receiver, request: WebhookRequest, body: string): Promise<SendOutcome> {
    const dice = this.#dice
    const mood = this.#moodOf(receiver)
    const took = mood === 'drips' ? dice.between(3000, 4900) : dice.between(2, 300)
    if (mood === 'is gone') {
      await this.#loop.pause(took)
      return this.#failure('connect', took)
    }
    await this.#loop.pause(took / 2)
    this.#see(receiver, request, body)
    if (mood === 'hangs' || mood === 'loses answers') {
      await this.#loop.pause(5000)
      return this.#failure('timeout', 5000)
    }
    await this.#loop.pause(took / 2)
    if (mood === 'fails') {
      const detail = 'The receiver answered 500.'
      return { ...none, status: 500, failure: 'status', detail, durationMs: took }
    }
    return {
      ...none,
      status: 204,
      failure: null,
      detail: null,
      firstByteMs: took,
      durationMs: took,
    }
  }

  #moodOf({ mood }: Receiver): Mood {
    if (this.areWell) return 'answers'
    if (this.#dice.chance(0.004)) {
      const outcome = { ...none, failure: 'connect' as const, detail: 'No sockets.', durationMs: 0 }
      throw new LocalFault('There are no sockets.', { outcome, cause: new Error('EMFILE') })
    }
    if (mood !== 'mixed') return mood
    return this.#dice.weigh({
      answers: 5,
      fails: 2,
      hangs: 1,
      drips: 1,
      'loses answers': 1,
      'is gone': 1,
      mixed: 0,
    })
  }

  #failure(failure: 'connect' | 'timeout' | 'dns', durationMs: number): SendOutcome {
    return { ...none, failure, detail: `simulated ${failure}`, durationMs }
  }

  #see(receiver: Receiver, { headers }: WebhookRequest, body: string): void {
    this.#loop.note(body)
    if (this.#loop.nowMs > receiver.untilMs)
      this.#onFault(`${receiver.url} was removed and got an event`)
    this.#requireSignature(receiver, headers, body)
    const { id, type, data } = JSON.parse(body) as Sent
    if (type === 'webhook.test') return
    const order = String(data.share_purchase_id)
    const line = receiver.lines.get(order) ?? { seen: [], bodies: new Map<string, string>() }
    receiver.lines.set(order, line)
    const before = line.bodies.get(id)
    if (before !== undefined && before !== body) {
      this.#onFault(`${receiver.url} got two bodies of the event ${id}`)
    }
    if (before !== undefined) return
    const last = line.seen.at(-1)
    // A dead event that an operator replays may come after later ones.
    const isReplay = (receiver.failed.get(id) ?? 0) >= attempts
    if (last !== undefined && !isReplay && !this.#isOver(receiver, last)) {
      this.#onFault(
        `${receiver.url} got ${type} of ${order} before the previous event was delivered or dead`,
      )
    }
    line.seen.push(id)
    line.bodies.set(id, body)
  }

  /** Whether the event was delivered or is dead after six attempts. */
  #isOver({ delivered, failed }: Receiver, eventId: string): boolean {
    return (delivered.get(eventId) ?? 0) > 0 || (failed.get(eventId) ?? 0) >= attempts
  }

  #requireSignature(receiver: Receiver, headers: WebhookRequest['headers'], body: string): void {
    const sent = headers['X-Service-Webhook-Signature'] ?? ''
    const [, t, all = ''] = /^t=(\d+),(.*)$/.exec(sent) ?? []
    const signatures = all.split(',').map((one) => one.replace(/^v1=/, ''))
    const due = createHmac('sha256', receiver.secret).update(`${t}.${body}`).digest('hex')
    if (!receiver.isSecretUnknown && !signatures.includes(due))
      this.#onFault(`${receiver.url} got an event that the newest secret has not signed`)
  }
}
