import { eventStates } from '../domain/webhooks/event.ts'
import type {
  ReplayedEvent,
  ReplayReport,
  ReplayRequest,
} from '../operations/bulk/replay-events.ts'
import type { SkipReason } from '../usecases/webhooks/replay-events.ts'
import { renderError } from './errors.ts'
import { renderTable } from './table.ts'

/** One id gives one event, several ids give a list, and a filter also gives the counts. */
export function renderReplay({ ids, dryRun }: ReplayRequest, report: ReplayReport) {
  const { events, before, after } = report
  const failed = report.failed.map(({ id, problem }) => ({
    event_id: id,
    error: renderError(problem),
  }))
  const all = [...events, ...failed]
  if (ids.length === 0) return { dry_run: dryRun, before, after, events: all }
  return ids.length === 1 ? all[0] : all
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
