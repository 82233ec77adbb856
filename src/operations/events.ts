import { boolean, enums, type Infer, integer, max, min, object, optional } from 'superstruct'
import { Problem } from '../domain/problem.ts'
import { eventStates, eventTypes } from '../domain/webhooks/event.ts'
import { readOrganization } from '../usecases/organizations/read-organization.ts'
import type { Service } from '../usecases/service.ts'
import { countEvents } from '../usecases/webhooks/count-events.ts'
import { followEvents } from '../usecases/webhooks/follow-events.ts'
import { listEvents } from '../usecases/webhooks/list-events.ts'
import { purgeEvents } from '../usecases/webhooks/purge-events.ts'
import { readEvent } from '../usecases/webhooks/read-event.ts'
import { replayEvent } from '../usecases/webhooks/replay-event.ts'
import { replayEvents } from '../usecases/webhooks/replay-events.ts'
import { listOperation, operation } from './operation.ts'
import { limit } from './shapes/limit.ts'
import {
  renderFollowedEvent,
  renderListedEvent,
  renderReplayedEvent,
  renderToldEvent,
} from './shapes/render-event.ts'
import { renderMany } from './shapes/render-many.ts'
import { text } from './shapes/text.ts'
import { readTimestamp, timestamp } from './shapes/timestamp.ts'

const filter = {
  organization: optional(text()),
  type: optional(enums(eventTypes)),
  since: optional(timestamp()),
  until: optional(timestamp()),
  limit: optional(limit()),
}

const replayInput = object({
  event_id: optional(text()),
  /** Only dead events, and of them only the deliveries that are dead. */
  dead: optional(boolean()),
  /** With `dead`: mails that are dead, and nothing else. */
  mail: optional(boolean()),
  dry_run: optional(boolean()),
  ...filter,
})

const defaultPage = 100
const largestPage = 1000

/** `organization` is an id or an exact name. */
export const eventOperations = {
  'event.list': listOperation({
    input: object({ state: optional(enums(eventStates)), mail: optional(boolean()), ...filter }),
    batches: async function* (service, { mail: deadMail, ...input }) {
      requireDead(deadMail, input.state === 'dead')
      const selected = { ...input, ...readRange(input), deadMail }
      for await (const events of listEvents(service, selected)) yield events.map(renderListedEvent)
    },
  }),
  'event.show': operation({
    input: object({ event_id: text() }),
    run: async (service, { event_id }) => renderToldEvent(await readEvent(service, event_id)),
  }),
  'event.count': operation({
    input: object({ organization: optional(text()) }),
    run: async (service, { organization }) => countEvents(service, organization),
  }),
  'event.replay': operation({ input: replayInput, run: replay }),
  'event.purge': operation({
    input: object({
      before: timestamp(),
      organization: optional(text()),
      /** Also dead events. */
      dead: optional(boolean()),
      dry_run: optional(boolean()),
    }),
    run: async (service, { before, organization, dead, dry_run: dryRun = false }) => {
      const purge = { before: readTimestamp(before), organization, dead, dryRun }
      return { dry_run: dryRun, ...(await purgeEvents(service, purge)) }
    },
  }),
  /** For `listen`: what came after the last event that was seen, with the bytes to send. */
  'event.follow': operation({
    input: object({
      organization: text(),
      after: optional(text()),
      since: optional(timestamp()),
      limit: optional(max(min(integer(), 1), largestPage)),
    }),
    run: async (service, { limit = defaultPage, ...input }) => {
      const { since } = readRange(input)
      return (await followEvents(service, { ...input, since, limit })).map(renderFollowedEvent)
    },
  }),
  /** Where to begin for whoever wants to follow what is to come, by the clock that events are dated with. */
  'event.follow_from_now': operation({
    input: object({ organization: text() }),
    run: async (service, { organization }) => {
      const { organizationId, name } = await readOrganization(service, organization)
      return { organization_id: organizationId, name, since: service.clock.now() }
    },
  }),
}

async function replay(service: Service, input: Infer<typeof replayInput>) {
  const { event_id: eventId, dead: onlyDead, mail: deadMail, dry_run: dryRun, ...rest } = input
  requireDead(deadMail, onlyDead)
  const options = { onlyDead, deadMail, dryRun }
  if (eventId !== undefined) {
    return [renderReplayedEvent(await replayEvent(service, { eventId, ...options }))]
  }
  requireChoice(input)
  const state = onlyDead ? ('dead' as const) : undefined
  const selected = { ...rest, ...readRange(rest), state, deadMail }
  return renderMany(await replayEvents(service, selected, options), renderReplayedEvent)
}

/** A mail is looked for only when it is dead: whoever has one gets none twice. */
function requireDead(deadMail: boolean | undefined, isDead: boolean | undefined): void {
  if (!deadMail || isDead) return
  throw new Problem(
    'VALIDATION_ERROR',
    'Mails are found only when they are dead: ask for dead ones.',
  )
}

/** Not everything that ever happened, because somebody left out what they meant. */
function requireChoice({ dead, organization, type, since, until }: Infer<typeof replayInput>) {
  if (dead || [organization, type, since, until].some((part) => part !== undefined)) return
  throw new Problem(
    'VALIDATION_ERROR',
    'Say which events: an id, or dead ones, or those of an organisation, a type or a time.',
  )
}

interface Range {
  readonly since?: string | undefined
  readonly until?: string | undefined
}

function readRange({ since, until }: Range) {
  return {
    since: since === undefined ? undefined : readTimestamp(since),
    until: until === undefined ? undefined : readTimestamp(until),
  }
}
