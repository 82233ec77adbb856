import { eventStates } from '../../domain/webhooks/event.ts'
import type { LeftAloneCause } from '../../domain/webhooks/left-alone.ts'
import { renderError } from '../render-error.ts'
import { renderTable } from '../table.ts'
import type { ReplayedEvent } from './plan-replay.ts'
import type { ReplayReport, ReplayRequest } from './replay-events.ts'

/** One id answers its event, several a list; a filter answers the counts too. */
export function renderReplay({ ids, dryRun }: ReplayRequest, report: ReplayReport) {
  const { events, before, after } = report
  const failed = report.failed.map(({ id, outcome }) => ({
    event_id: id,
    error: renderError(outcome.problem),
  }))
  const all = [...events, ...failed]
  if (ids.length === 0) return { dry_run: dryRun, before, after, events: all }
  return ids.length === 1 ? all[0] : all
}

/** One line for each event, then the counts. */
export function describeReplay({ dryRun }: ReplayRequest, report: ReplayReport): string {
  const { events, before, after } = report
  const lines = events.map((event) => describeEvent(event, dryRun))
  const counts = renderTable(eventStates, {
    EVENTS: (state) => state,
    BEFORE: (state) => before[state],
    AFTER: (state) => after?.[state],
  })
  return [...(events.length === 0 ? ['Nothing to do.'] : lines), '', counts].join('\n')
}

function describeEvent(event: ReplayedEvent, dryRun: boolean): string {
  const { event_id, type, replayed, left_alone } = event
  if (left_alone !== null) return `Left alone ${event_id} (${type}): ${whyLeftAlone[left_alone]}`
  const done = dryRun ? 'Would replay' : 'Replayed'
  return `${done} ${event_id} (${type}): ${replayed} ${replayed === 1 ? 'delivery' : 'deliveries'}.`
}

const whyLeftAlone: Readonly<Record<LeftAloneCause, string>> = {
  no_endpoint: 'there was no endpoint when it happened. The partner can read the order itself.',
  endpoint_removed:
    'the endpoint is removed, and an event goes to no other. The partner can read the order itself.',
  under_way: 'it is still being delivered; `event show` tells how far it is.',
  no_mail: 'no mail was meant for the investor.',
  mail_delivered: 'the investor has got the mail, and gets none twice.',
  mail_written: 'the mail is a file in the mail directory. Send that file.',
  delivered: 'it was delivered; without --dead it is sent again.',
}
