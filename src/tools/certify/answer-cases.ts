import { randomUUID } from 'node:crypto'
import { type Finding, judgeAccepted, judgeAnswerTimes, judgeRefused } from './finding.ts'
import {
  type Deviation,
  type Probe,
  randomSecret,
  type SampleEvent,
  type SampleOrder,
  withChangedBody,
} from './probe.ts'

export interface Case {
  readonly name: string
  readonly title: string
  /** Advice for a receiver that fails the case. */
  readonly advice: string
  /** The case that has to pass first: otherwise the present case proves nothing. */
  readonly needs?: string
  readonly needsState?: true
  readonly run: (probe: Probe) => Promise<Finding>
}

const verify = 'the HMAC-SHA256 of t, a full stop and the raw body, compared in constant time'

/** How others could impersonate the service, and how a receiver should react. */
export const forgeries: Readonly<Record<string, Forgery>> = {
  wrong_signature: {
    title: 'A wrong signature is refused',
    advice: `Answer 401 unless v1 is ${verify}.`,
    deviation: () => ({ secret: randomSecret() }),
  },
  stale_time: {
    title: 'A signature that is ten minutes old is refused',
    advice:
      'Answer 401 if t differs from your clock by more than five minutes: others may have recorded the request.',
    deviation: () => ({ ageSeconds: 600 }),
  },
  future_time: {
    title: 'A signature from ten minutes in the future is refused',
    advice: 'Compare the absolute difference between t and your clock with five minutes.',
    deviation: () => ({ ageSeconds: -600 }),
  },
  altered_body: {
    title: 'A body that was altered is refused',
    advice: `Answer 401 unless v1 is ${verify}. Signing only t or the event id is not enough.`,
    deviation: ({ body }) => ({ signedBody: body.replace('approved', 'rejected') }),
  },
  missing_signature: {
    title: 'A request without a signature is refused',
    advice: 'Answer 401 if the header X-Service-Webhook-Signature is absent.',
    deviation: () => ({ withoutSignature: true }),
  },
}

interface Forgery extends Pick<Case, 'title' | 'advice'> {
  readonly deviation: (event: SampleEvent) => Deviation
}

const refusals: readonly Case[] = Object.entries(forgeries).map(
  ([name, { title, advice, deviation }]) => ({
    name,
    title,
    advice,
    run: async (probe) => {
      const event = probe.newOrder().event('approved')
      return judgeRefused(await probe.send(event, deviation(event)))
    },
  }),
)

/** A case that passes if the receiver accepts all of its requests. */
function accepted(
  labels: Pick<Case, 'name' | 'title' | 'advice'>,
  requests: (order: SampleOrder, probe: Probe) => readonly (readonly [SampleEvent, Deviation?])[],
  more?: string,
): Case {
  const run = async (probe: Probe) => {
    const outcomes = []
    for (const [event, deviation] of requests(probe.newOrder(nonAsciiReason), probe)) {
      outcomes.push(await probe.send(event, deviation))
    }
    return judgeAccepted(outcomes, more)
  }
  return { ...labels, run }
}

const nonAsciiReason = 'Rücklastschrift: 3 × 110 € 🌻'

export const firstCase = 'valid_signature'

/** The cases that can be judged by the answers of a receiver. */
export const answerCases: readonly Case[] = [
  accepted(
    {
      name: firstCase,
      title: 'A valid signature is accepted',
      advice:
        'Is COOPSHARE_SIGNING_SECRET the secret of this receiver? Answer 2xx to an event with a valid signature, even for an order that you do not know. `coopshare signature verify` explains a signature.',
    },
    (order) => [[order.event('submitted')]],
  ),
  ...refusals,
  {
    name: 'rotated_secret',
    title: 'A signature with another secret is refused, and then the right one is accepted',
    advice:
      'Verify first, and only with your current secret. Remember the id of an event only after that.',
    run: async (probe) => {
      const event = probe.newOrder().event('approved')
      const refused = judgeRefused(await probe.send(event, { secret: randomSecret() }))
      const after = judgeAccepted([await probe.send(event)])
      if (refused.result === 'failed' || refused.result === 'skipped') return refused
      return after.result === 'passed'
        ? { ...refused, detail: `${refused.detail} ${after.detail}` }
        : after
    },
  },
  accepted(
    {
      name: 'other_formatting',
      title: 'The raw bytes are verified: keys in another order and white space do not matter',
      advice:
        'Verify the bytes that arrived, before anything parses them. JSON that was parsed and written again has a different signature.',
    },
    (order) => [[withChangedBody(order.event('approved'), reverseKeys, indent)]],
  ),
  accepted(
    {
      name: 'non_ascii',
      title: 'A body with non-ASCII characters is accepted',
      advice:
        'Verify bytes, or decode the whole body as UTF-8: decoding it as Latin-1, or chunk by chunk, changes it.',
    },
    (order) => [[order.event('rejected')]],
  ),
  accepted(
    {
      name: 'unknown_type',
      title: 'An event type that does not exist yet is accepted',
      advice: 'Answer 2xx to types that you do not know, and ignore them.',
    },
    (order, probe) => [[unknownType(order.event('approved'), probe)]],
  ),
  accepted(
    {
      name: 'unknown_field',
      title: 'A field that does not exist yet is accepted',
      advice: 'Let your parser ignore fields that it does not know.',
    },
    (order) => [[withChangedBody(order.event('approved'), addFields)]],
  ),
  accepted(
    {
      name: 'duplicate',
      title: 'A repeated event is accepted',
      advice: 'Answer 2xx to an event whose id you have processed, and do nothing else.',
    },
    (order) => [[order.event('submitted')], [order.event('submitted')]],
  ),
  accepted(
    {
      name: 'retry',
      title: 'A retry is accepted: the same event, signed again 30 s later',
      advice:
        'Recognize an event by the id in its body. Signature, t and X-Service-Webhook-Id differ in each attempt.',
    },
    (order) => [[order.event('submitted'), { ageSeconds: 30 }], [order.event('submitted')]],
    ' Your receiver must answer 5xx when it cannot store an event, so that the service sends it again. No test from outside can check this.',
  ),
  accepted(
    {
      name: 'out_of_order',
      title: 'Events out of order are accepted',
      advice:
        'Answer 2xx to an earlier event even if you have already processed a later one of the order.',
    },
    (order) => [[order.event('approved')], [order.event('submitted')]],
  ),
]

/** This case judges the answers to all requests, so it comes last. */
export const answerTime: Case = {
  name: 'answer_time',
  title: 'Answers come within five seconds',
  advice: 'Store the event, answer, and do slow work afterwards.',
  run: async ({ exchanges }) => judgeAnswerTimes(exchanges.map(({ outcome }) => outcome)),
}

type Json = Readonly<Record<string, unknown>>
type EventJson = Json & { readonly data: Json }

function reverseKeys({ data, ...event }: EventJson): Json {
  return { data: reversed(data), ...reversed(event) }
}

function reversed(object: Json): Json {
  return Object.fromEntries(Object.entries(object).reverse())
}

function indent(event: Json): string {
  return `${JSON.stringify(event, undefined, 2)}\n`
}

function addFields({ data, ...event }: EventJson): Json {
  return { ...event, data: { ...data, channel: 'app', tags: ['new'] }, sequence: 1 }
}

/** Of no order. */
function unknownType(event: SampleEvent, probe: Probe): SampleEvent {
  const id = randomUUID()
  const changed = withChangedBody(event, () => ({
    id,
    type: 'investor.updated',
    created_at: probe.now(),
    data: { investor_id: randomUUID(), terminal: false },
  }))
  return { ...changed, id }
}
