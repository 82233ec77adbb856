import { eventStates } from '../domain/webhooks/event.ts'
import type {
  ReplayedEvent,
  ReplayReport,
  ReplayRequest,
} from '../operations/bulk/replay-events.ts'
import { eventCounts, replayedEvent } from '../operations/events.ts'
import type { SkipReason } from '../usecases/webhooks/replay-events.ts'
import {
  bool,
  either,
  listOf,
  nested,
  nestedOrNull,
  plain,
  type Rendered,
  rendered,
} from '../wire/view.ts'
import { failedEvent } from './errors.ts'
import { renderTable } from './table.ts'

export const replayReport = plain('Replay report', {
  dry_run: bool('Whether this was a dry run, which sends nothing.'),
  before: nested(rendered(eventCounts), 'Number of events in each state.'),
  after: nestedOrNull(rendered(eventCounts), 'Number of events in each state.'),
  events: listOf(either(replayedEvent, failedEvent), 'The selected events.'),
})

export type RenderedReplay =
  | ReplayedEvent
  | readonly (ReplayedEvent | Rendered<typeof failedEvent>)[]
  | Rendered<typeof replayReport>

/** One id gives one event, several ids give a list, and a filter also gives the counts. */
export function renderReplay(
  { ids, dryRun }: ReplayRequest,
  { events, failed, before, after }: ReplayReport,
): RenderedReplay | undefined {
  // A failure of the only event is an error of the command.
  if (ids.length === 1) return events[0]
  const all = [...events, ...failed.map(failedEvent.render)]
  return ids.length === 0 ? { dry_run: dryRun, before, after, events: all } : all
}

export function describeReplay({ dryRun }: ReplayRequest, report: ReplayReport): string {
  const { events, before, after } = report
  const lines = events.map((event) => describeEvent(event, dryRun))
  // A replay never changes how many events have no receiver.
  const shown = eventStates.filter((state) => state !== 'none')
  const counts = renderTable(shown, {
    EVENTS: (state) => state,
    BEFORE: (state) => before[state],
    AFTER: (state) => after?.[state],
  })
  return [...(events.length === 0 ? ['Nothing to do.'] : lines), '', counts].join('\n')
}

function describeEvent(event: ReplayedEvent, dryRun: boolean): string {
  const { event_id, type, replayed, left_alone } = event
  if (left_alone !== null) return `Not replayed ${event_id} (${type}): ${whyLeftAlone[left_alone]}`
  const done = dryRun ? 'Would replay' : 'Replayed'
  return `${done} ${event_id} (${type}): ${replayed} ${replayed === 1 ? 'delivery' : 'deliveries'}.`
}

const whyLeftAlone: Readonly<Record<SkipReason, string>> = {
  no_endpoint:
    'there was no endpoint when the event occurred. The partner can read the order instead.',
  endpoint_removed:
    'its endpoint was removed, and events are not sent to other endpoints. The partner can read the order instead.',
  under_way: 'it is still being delivered. `event show` shows its progress.',
  no_mail: 'the event has no e-mail to the investor.',
  mail_delivered: 'the investor already got the e-mail, and e-mails are not sent twice.',
  mail_written: 'the e-mail is a file in the mail directory. Send that file.',
  delivered: 'it was delivered. Leave out --dead to send it again.',
}
