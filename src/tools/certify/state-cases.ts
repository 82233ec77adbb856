import { type Case, forgeries } from './answer-cases.ts'
import { type Finding, failed, passed } from './finding.ts'
import { type Probe, quote, type ReceiverState, randomSecret, type SampleEvent } from './probe.ts'

const firstCase = 'event_processed'

/** The cases that are judged by the state URL of a receiver. */
export const stateCases: readonly Case[] = [
  {
    name: firstCase,
    title: 'The state URL shows an accepted event',
    advice:
      'Answer {"status": "submitted", "events": ["id of the event"]} to GET with ?share_purchase_id=ID, within five seconds after the event.',
    needsState: true,
    run: async (probe) => {
      const order = probe.newOrder()
      const event = order.event('submitted')
      await probe.send(event)
      const state = await probe.awaitState(
        order.id,
        ({ status, events }) => status === 'submitted' && events.includes(event.id),
      )
      if (state.status !== 'submitted') return wrongStatus(state, 'submitted')
      return judgeProcessedOnce(state, event)
    },
  },
  afterFirst({
    name: 'duplicate_processed_once',
    title: 'A repeated event is processed once',
    advice:
      'Store the id of each event in the same transaction as its effect, under a unique constraint.',
    run: (probe) => sendTwice(probe, 0),
  }),
  afterFirst({
    name: 'retry_processed_once',
    title: 'A retry of an event that was processed has no further effect',
    advice:
      'Recognize an event by the id in its body. Signature, t and X-Service-Webhook-Id differ in each attempt.',
    run: (probe) => sendTwice(probe, 30),
  }),
  afterFirst({
    name: 'latest_status',
    title: 'Events out of order end in the later status',
    advice:
      'A replayed event can come after later ones. Do not let an event with an earlier created_at change the status of its order, and never change a final status.',
    run: endInLaterStatus,
  }),
  afterFirst({
    name: 'refused_not_processed',
    title: 'A refused event is not processed',
    advice: 'Verify before you process or store anything, and stop after the 401.',
    run: sendForgeries,
  }),
  afterFirst({
    name: 'refused_then_processed',
    title: 'An event that was refused is processed when its signature is valid',
    advice: 'Remember the id of an event only after you have verified its signature.',
    run: processAfterRefusal,
  }),
]

function afterFirst(described: Omit<Case, 'needs' | 'needsState'>): Case {
  return { ...described, needs: firstCase, needsState: true }
}

/** Sends another event at the end: when the receiver has processed it, the earlier events are processed, too. */
async function sendTwice(probe: Probe, ageSeconds: number): Promise<Finding> {
  const order = probe.newOrder()
  const [event, last] = [order.event('submitted'), order.event('approved')]
  await probe.send(event, { ageSeconds })
  await probe.send(event)
  await probe.send(last)
  const state = await probe.awaitState(order.id, ({ events }) => events.includes(last.id))
  return judgeProcessedOnce(state, event)
}

function judgeProcessedOnce({ events }: ReceiverState, { id }: SampleEvent): Finding {
  const times = events.filter((each) => each === id).length
  if (times === 1) return passed('The event is in `events` once.')
  if (times === 0) return failed(`Event ${id} was sent and is not in \`events\`.`)
  return failed(`Event ${id} is in \`events\` ${times} times.`)
}

function wrongStatus({ status }: ReceiverState, wanted: string): Finding {
  return failed(`The status is ${quote(status)} instead of "${wanted}".`)
}

/** The limit is short, because a receiver may omit an event from `events` if it arrived too late to matter. */
const lateEventMs = 1000

async function endInLaterStatus(probe: Probe): Promise<Finding> {
  const order = probe.newOrder()
  const [late, later] = [order.event('submitted'), order.event('approved')]
  await probe.send(later)
  await probe.awaitState(order.id, ({ events }) => events.includes(later.id))
  await probe.send(late)
  const state = await probe.awaitState(
    order.id,
    ({ events }) => events.includes(late.id),
    lateEventMs,
  )
  if (state.status !== 'approved') return wrongStatus(state, 'approved')
  return passed('The status is still "approved", although "submitted" came later.')
}

async function sendForgeries(probe: Probe): Promise<Finding> {
  const processed: string[] = []
  for (const [name, { deviation }] of Object.entries(forgeries)) {
    const order = probe.newOrder()
    const forged = order.event('approved')
    const { failure } = await probe.send(forged, deviation(forged))
    // If a forged event was accepted, another case has failed.
    if (failure === null) continue
    const genuine = order.event('submitted')
    await probe.send(genuine)
    const state = await probe.awaitState(order.id, ({ events }) => events.includes(genuine.id))
    if (!state.events.includes(genuine.id)) return judgeProcessedOnce(state, genuine)
    if (state.events.includes(forged.id) || state.status === 'approved') processed.push(name)
  }
  if (processed.length === 0) return passed('No refused event was processed.')
  return failed(`Refused, but processed: ${processed.join(', ')}.`)
}

async function processAfterRefusal(probe: Probe): Promise<Finding> {
  const order = probe.newOrder()
  const event = order.event('approved')
  await probe.send(event, { secret: randomSecret() })
  await probe.send(event)
  const state = await probe.awaitState(order.id, ({ events }) => events.includes(event.id))
  return judgeProcessedOnce(state, event)
}
