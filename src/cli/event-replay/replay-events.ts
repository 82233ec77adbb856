import { Problem } from '../../domain/problem.ts'
import { eventStates } from '../../domain/webhooks/event.ts'
import type { Input, Output } from '../../operations/operations.ts'
import type { SkipReason } from '../../usecases/webhooks/replay-events.ts'
import { type BulkFailure, type BulkResult, distinctIds, isBulkFailure, runBulk } from '../bulk.ts'
import type { Connection } from '../connection.ts'
import { renderError } from '../errors.ts'
import { startProgress } from '../output.ts'
import { renderTable } from '../table.ts'

type EventCounts = Output<'event.count'>

export interface ReplayReport {
  readonly events: readonly ReplayedEvent[]
  /** Unknown ids, and events that were refused or not reached. */
  readonly failed: readonly BulkFailure[]
  /** Counts of the selected organization, or of all. */
  readonly before: EventCounts
  /** Predicted in a dry run; null if the service could not be reached any more. */
  readonly after: EventCounts | null
}

export interface ReplayRequest extends ReplaySelection {
  readonly dryRun: boolean
}

export async function replayEvents(
  service: Connection,
  { dryRun, ...selection }: ReplayRequest,
): Promise<ReplayReport> {
  const { organization } = selection.filter
  const { events: planned, missing } = await planReplay(service, selection)
  const before = await service.call('event.count', { organization })
  if (dryRun)
    return { events: planned, failed: missing, before, after: countsAfter(before, planned) }
  const { events, failed } = await replayPlanned(service, planned, selection.filter)
  const after = await countAgain(service, organization)
  return { events, failed: [...missing, ...failed], before, after }
}

/** The report must be printed even if the service has gone since. */
async function countAgain(
  service: Connection,
  organization: string | undefined,
): Promise<EventCounts | null> {
  try {
    return await service.call('event.count', { organization })
  } catch (error) {
    if (error instanceof Problem && error.code === 'SERVICE_UNAVAILABLE') return null
    throw error
  }
}

function countsAfter(before: EventCounts, planned: readonly ReplayedEvent[]): EventCounts {
  const counts = { ...before }
  for (const { state, state_after } of planned) {
    counts[state] -= 1
    counts[state_after] += 1
  }
  return counts
}

type ReplayFilter = Omit<Input<'event.replay'>, 'event_id' | 'dry_run'>
export type ReplayedEvent = Output<'event.replay'>[number]

interface ReplaySelection {
  readonly ids: readonly string[]
  readonly filter: ReplayFilter
}

interface ReplayPlan {
  /** The events that the replay would send. Nothing has been changed yet. */
  readonly events: readonly ReplayedEvent[]
  /** Unknown ids. */
  readonly missing: readonly BulkFailure[]
}

export async function planReplay(
  service: Connection,
  { ids, filter }: ReplaySelection,
): Promise<ReplayPlan> {
  if (ids.length === 0) {
    return { events: await service.call('event.replay', { ...filter, dry_run: true }), missing: [] }
  }
  const { dead, mail } = filter
  const act = (event_id: string) =>
    service.call('event.replay', { event_id, dead, mail, dry_run: true })
  const tried = await runBulk(distinctIds(ids), { act })
  return { events: tried.flatMap(eventsOf), missing: tried.filter(isBulkFailure) }
}

function eventsOf(tried: BulkResult<readonly ReplayedEvent[]>): readonly ReplayedEvent[] {
  return isBulkFailure(tried) ? [] : tried.result
}

export type ReplayOptions = Pick<ReplayFilter, 'dead' | 'mail'>

export interface Replayed {
  /** All selected events, including those that the plan leaves out. */
  readonly events: readonly ReplayedEvent[]
  /** Events of the plan that were refused or not reached. */
  readonly failed: readonly BulkFailure[]
}

/**
 * Orders are replayed concurrently. Events of one order are replayed in their order of creation,
 * and stop at the first failure. Events that the plan leaves out stay untouched, because they would
 * exceed the limit of the plan.
 */
export async function replayPlanned(
  service: Connection,
  planned: readonly ReplayedEvent[],
  { dead, mail }: ReplayOptions,
): Promise<Replayed> {
  const replayed = new Map<string, ReplayedEvent>()
  const byOrder = groupByOrder(planned.filter(isWanted))
  const bar = await startProgress(planned.filter(isWanted).length)
  const act = async (order: string) => {
    for (const { event_id } of byOrder.get(order) ?? []) {
      for (const event of await service.call('event.replay', { event_id, dead, mail })) {
        replayed.set(event_id, event)
      }
      bar?.increment()
    }
  }
  try {
    const tried = await runBulk([...byOrder.keys()], { act, throughFaults: true })
    return collect(planned, replayed, tried)
  } finally {
    bar?.stop()
  }
}

function collect(
  planned: readonly ReplayedEvent[],
  replayed: ReadonlyMap<string, ReplayedEvent>,
  tried: readonly BulkResult<unknown>[],
): Replayed {
  const problems = new Map(tried.filter(isBulkFailure).map(({ id, problem }) => [id, problem]))
  const failed = planned.flatMap((event) => {
    const problem = problems.get(event.share_purchase_id)
    const isDone = !isWanted(event) || replayed.has(event.event_id)
    return isDone || !problem ? [] : [{ id: event.event_id, problem }]
  })
  const failedIds = new Set(failed.map(({ id }) => id))
  const done = planned.filter(({ event_id }) => !failedIds.has(event_id))
  return { events: done.map((event) => replayed.get(event.event_id) ?? event), failed }
}

function isWanted({ replayed }: ReplayedEvent): boolean {
  return replayed > 0
}

function groupByOrder(events: readonly ReplayedEvent[]): Map<string, ReplayedEvent[]> {
  const byOrder = new Map<string, ReplayedEvent[]>()
  for (const event of events.toSorted(byTime)) {
    const group = byOrder.get(event.share_purchase_id)
    if (group) group.push(event)
    else byOrder.set(event.share_purchase_id, [event])
  }
  return byOrder
}

function byTime(left: ReplayedEvent, right: ReplayedEvent): number {
  return left.created_at < right.created_at ? -1 : left.created_at > right.created_at ? 1 : 0
}

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
