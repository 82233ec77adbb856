import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { $Fetch } from 'ofetch'
import { array, is, nullable, optional, string, type } from 'superstruct'
import { currency, type Money, parseMoney } from '../../domain/money.ts'
import { parseJson } from '../../domain/text.ts'
import { addSeconds, type Timestamp } from '../../domain/timestamp.ts'
import type { SendOutcome } from '../../domain/webhooks/delivery.ts'
import type { EventStatus } from '../../domain/webhooks/event.ts'
import { openForwarder, openReader } from '../../open-service.ts'
import { createSharePurchaseEvent } from '../../usecases/share-purchases/record-transition.ts'
import { localFaultAsOutcome } from '../../usecases/webhooks/send-webhook.ts'
import { createDeliveryHeaders, signWebhook } from '../../usecases/webhooks/sign-webhook.ts'
import { renderEvent } from '../../wire/events.ts'

export interface SampleEvent {
  readonly id: string
  readonly type: string
  /** The text to send, byte for byte. */
  readonly body: string
}

export interface SampleOrder {
  readonly id: string
  /** The event as the service renders it. A second call returns the same event. */
  event(status: EventStatus): SampleEvent
}

interface SampleOrderOptions {
  /** Time of the newest transition. */
  readonly now: Timestamp
  readonly shareCount?: number
  readonly reason?: string
}

/** An order that no receiver has seen, so that runs do not disturb each other. */
function createSampleOrder({ now, shareCount = 3, reason }: SampleOrderOptions): SampleOrder {
  const order = {
    sharePurchaseId: randomUUID(),
    organizationId: randomUUID(),
    investorId: randomUUID(),
    cooperativeId: randomUUID(),
    shareCount,
    total: parseMoney(`${shareCount * priceOfShare}`) as Money,
    currency,
    reason: reason ?? null,
  }
  const event = (status: EventStatus) => {
    const transitions = [{ to: status, at: addSeconds(now, -secondsBefore[status]) }]
    const described = createSharePurchaseEvent({ renderEvent }, { ...order, transitions })
    if (!described) throw new Error(`A transition to ${status} has no event.`)
    return { id: described.eventId, type: described.type, body: described.body }
  }
  return { id: order.sharePurchaseId, event }
}

const priceOfShare = 110

/** A receiver may compare the times of the events of an order. */
const secondsBefore: Readonly<Record<EventStatus, number>> = {
  submitted: 2,
  approved: 1,
  settled: 0,
  rejected: 0,
  cancelled: 0,
}

type Json = Readonly<Record<string, unknown>>

/** The event with another body, as a later version of the service could send it. */
export function withChangedBody(
  { id, body }: SampleEvent,
  change: (event: Json & { readonly data: Json }) => Json,
  render: (event: Json) => string = (event) => JSON.stringify(event),
): SampleEvent {
  const changed = change(JSON.parse(body))
  return { id, type: String(changed['type']), body: render(changed) }
}

/** The answer of a receiver's state URL about an order. */
export interface ReceiverState {
  readonly status: string | null
  /** Ids of the events that it has processed. */
  readonly events: readonly string[]
}

/**
 * A receiver may answer first and process later, so this asks again until `isReached`, or for a few
 * seconds. @returns the last state. Throws a `StateFault`.
 */
type AwaitState = (
  orderId: string,
  isReached: (state: ReceiverState) => boolean,
  patienceMs?: number,
) => Promise<ReceiverState>

/** A sentence that explains why the answer of the state URL is unusable. */
export class StateFault extends Error {}

const usualPatienceMs = 5000
const pauseMs = 100

function createStateReader(stateUrl: string | undefined): AwaitState {
  let opened: Promise<$Fetch> | undefined
  return async (orderId, isReached, patienceMs = usualPatienceMs) => {
    if (stateUrl === undefined) throw new StateFault('There is no state URL.')
    opened ??= openReader()
    const url = new URL(stateUrl)
    url.searchParams.set('share_purchase_id', orderId)
    const read = readState.bind(undefined, await opened, url)
    const endMs = performance.now() + patienceMs
    let state = await read()
    while (!isReached(state) && performance.now() < endMs) {
      await setTimeout(pauseMs)
      state = await read()
    }
    return state
  }
}

const stateShape = type({ status: optional(nullable(string())), events: array(string()) })

async function readState(fetch: $Fetch, url: URL): Promise<ReceiverState> {
  const { status, text } = await ask(fetch, url)
  if (status === 404) return { status: null, events: [] }
  if (status !== 200) throw new StateFault(`The state URL answered ${status} instead of 200.`)
  const json = parseJson(text)
  if (!is(json, stateShape)) {
    throw new StateFault(
      'The state URL did not answer {"status": "…", "events": ["id of an event", …]}.',
    )
  }
  return { status: json.status ?? null, events: json.events }
}

async function ask(fetch: $Fetch, url: URL): Promise<{ status: number; text: string }> {
  try {
    const answer = await fetch.raw<string, 'text'>(url.href, {
      responseType: 'text',
      ignoreResponseError: true,
    })
    return { status: answer.status, text: answer._data ?? '' }
  } catch (error) {
    // Errors of ofetch name the URL, which may contain a secret.
    const { cause } = error as { readonly cause?: unknown }
    throw new StateFault(
      `The state URL did not answer. ${cause instanceof Error ? cause.message : ''}`.trim(),
    )
  }
}

/** A text from the receiver, to be quoted in a finding. */
export function quote(text: string | null): string {
  return text === null ? 'unknown' : JSON.stringify(text.slice(0, 60))
}

export interface ReceiverToProbe {
  readonly url: string
  readonly secret: string
  /** URL at which the receiver reports what it has processed. */
  readonly stateUrl: string | undefined
}

/** How a request differs from a request of the service. */
export interface Deviation {
  readonly secret?: string
  /** Negative for a signature from the future. */
  readonly ageSeconds?: number
  /** The body that is signed, if it is not the one that is sent. */
  readonly signedBody?: string
  readonly withoutSignature?: true
}

export interface Exchange {
  readonly event: SampleEvent
  readonly attemptId: string
  readonly outcome: SendOutcome
}

export interface Probe {
  /** All requests so far. */
  readonly exchanges: readonly Exchange[]
  readonly now: () => Timestamp
  readonly newOrder: (reason?: string) => SampleOrder
  /** Each request is a new attempt. */
  readonly send: (event: SampleEvent, deviation?: Deviation) => Promise<SendOutcome>
  readonly awaitState: AwaitState
}

export function createProbe({ url, secret, stateUrl }: ReceiverToProbe): Probe {
  const { clock, webhookSender } = openForwarder()
  const exchanges: Exchange[] = []
  const sign = (body: string, deviation: Deviation) => {
    if (deviation.withoutSignature) return undefined
    const { secret: key = secret, ageSeconds = 0, signedBody = body } = deviation
    const at = addSeconds(clock.now(), -ageSeconds)
    return signWebhook({ secret: key, body: Buffer.from(signedBody), at })
  }
  const send = async (event: SampleEvent, deviation: Deviation = {}) => {
    const { type, body } = event
    const attemptId = randomUUID()
    const headers = createDeliveryHeaders({ type, attemptId, signature: sign(body, deviation) })
    const sending = webhookSender.send({ url, headers, body: Buffer.from(body) })
    const outcome = await localFaultAsOutcome(sending)
    exchanges.push({ event, attemptId, outcome })
    return outcome
  }
  const now = () => clock.now()
  const newOrder = (reason?: string) => createSampleOrder({ now: now(), ...(reason && { reason }) })
  return { exchanges, now, newOrder, send, awaitState: createStateReader(stateUrl) }
}

export function randomSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`
}
