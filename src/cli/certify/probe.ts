import { randomBytes, randomUUID } from 'node:crypto'
import { addSeconds, type Timestamp } from '../../domain/timestamp.ts'
import type { SendOutcome } from '../../domain/webhooks/delivery.ts'
import { openForwarder } from '../../open-service.ts'
import {
  deliveryHeaders,
  localFaultAsOutcome,
  signBody,
} from '../../usecases/webhooks/send-webhook.ts'
import { type InventedEvent, type InventedOrder, inventOrder } from './invented-order.ts'
import { type AwaitState, createStateReader } from './receiver-state.ts'

export interface ReceiverToProbe {
  readonly url: string
  readonly secret: string
  /** Where the receiver says what it has processed. */
  readonly stateUrl: string | undefined
}

/** How a request differs from one of the service. */
export interface Departure {
  readonly secret?: string
  /** Negative for a signature of the future. */
  readonly ageSeconds?: number
  /** Signed instead of the body that is sent. */
  readonly signedBody?: string
  readonly withoutSignature?: true
}

export interface Exchange {
  readonly event: InventedEvent
  readonly attemptId: string
  readonly outcome: SendOutcome
}

export interface Probe {
  /** All requests so far. */
  readonly exchanges: readonly Exchange[]
  readonly now: () => Timestamp
  readonly newOrder: (reason?: string) => InventedOrder
  /** Each request is a new attempt. */
  readonly send: (event: InventedEvent, departure?: Departure) => Promise<SendOutcome>
  readonly awaitState: AwaitState
}

export function createProbe({ url, secret, stateUrl }: ReceiverToProbe): Probe {
  const { clock, webhookSender } = openForwarder()
  const exchanges: Exchange[] = []
  const sign = (body: string, departure: Departure) => {
    if (departure.withoutSignature) return undefined
    const { secret: key = secret, ageSeconds = 0, signedBody = body } = departure
    const at = addSeconds(clock.now(), -ageSeconds)
    return signBody({ secret: key, body: Buffer.from(signedBody), at })
  }
  const send = async (event: InventedEvent, departure: Departure = {}) => {
    const { type, body } = event
    const attemptId = randomUUID()
    const headers = deliveryHeaders({ type, attemptId, signature: sign(body, departure) })
    const sending = webhookSender.send({ url, headers, body: Buffer.from(body) })
    const outcome = await localFaultAsOutcome(sending)
    exchanges.push({ event, attemptId, outcome })
    return outcome
  }
  const now = () => clock.now()
  const newOrder = (reason?: string) => inventOrder({ now: now(), ...(reason && { reason }) })
  return { exchanges, now, newOrder, send, awaitState: createStateReader(stateUrl) }
}

/** One that the receiver cannot know. */
export function drawSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`
}
