import { Problem } from '../../domain/problem.ts'
import { inBatches } from '../../domain/share-purchases/dependencies.ts'
import type { Input, Output } from '../operations.ts'
import type { OperationRunner } from '../runner.ts'
import { distinctIds, type Failed, isFailed, isOutage, type Tried, tryEach } from './try-each.ts'

type EventCounts = Output<'event.count'>
type ReplayFilter = Omit<Input<'event.replay'>, 'event_id' | 'dry_run'>
export type ReplayedEvent = Output<'event.replay'>[number]

/** The events with these ids, or all that match a filter if there are no ids. */
export interface ReplaySelection {
  readonly ids: readonly string[]
  readonly filter: ReplayFilter
}

export interface ReplayRequest extends ReplaySelection {
  readonly dryRun: boolean
  /** Called when it is known how many events are sent again. Returns what to call after each. */
  readonly onBegin?: (count: number) => Promise<(tried: Tried<unknown>) => void>
}

export interface ReplayReport {
  readonly events: readonly ReplayedEvent[]
  /** Unknown ids, and events that were refused or not reached. */
  readonly failed: readonly Failed[]
  /** Counts of the selected organization, or of all. */
  readonly before: EventCounts
  /** Predicted in a dry run; null if the service could not be reached any more. */
  readonly after: EventCounts | null
}

export async function replayEvents(
  service: OperationRunner,
  { dryRun, onBegin, ...selection }: ReplayRequest,
): Promise<ReplayReport> {
  const { organization } = selection.filter
  const { events: planned, missing } = await planReplay(service, selection)
  const before = await service.call('event.count', { organization })
  if (dryRun) {
    const after = { ...before }
    for (const { state, state_after } of planned) {
      after[state] -= 1
      after[state_after] += 1
    }
    return { events: planned, failed: missing, before, after }
  }
  const onTried = await onBegin?.(planned.filter(isWanted).length)
  const { events, failed } = await replayPlanned(service, planned, {
    ...selection.filter,
    onTried,
  })
  return {
    events,
    failed: [...missing, ...failed],
    before,
    // The report must be printed even if the service has gone since.
    after: await service.call('event.count', { organization }).catch((error) => {
      if (error instanceof Problem && error.code === 'SERVICE_UNAVAILABLE') return null
      throw error
    }),
  }
}

/** Selects the events that the replay would send. Nothing is changed yet. */
export async function planReplay(
  service: OperationRunner,
  { ids, filter }: ReplaySelection,
): Promise<{ readonly events: readonly ReplayedEvent[]; readonly missing: readonly Failed[] }> {
  if (ids.length === 0) {
    return { events: await service.call('event.replay', { ...filter, dry_run: true }), missing: [] }
  }
  const { dead, mail } = filter
  const tried = await tryEach([distinctIds(ids)], {
    act: (event_id) => service.call('event.replay', { event_id, dead, mail, dry_run: true }),
  })
  const unreached = tried.find(isOutage)
  if (unreached) throw unreached.problem
  return {
    events: tried.flatMap((each) => (isFailed(each) ? [] : each.result)),
    missing: tried.filter(isFailed),
  }
}

interface ReplayOptions extends Pick<ReplayFilter, 'dead' | 'mail'> {
  readonly onTried?: ((tried: Tried<unknown>) => void) | undefined
}

/**
 * Events of one order are replayed in their order of creation, and stop at the first failure.
 * Events that the plan leaves out stay untouched, because they would exceed the limit of the plan.
 */
export async function replayPlanned(
  service: OperationRunner,
  planned: readonly ReplayedEvent[],
  { dead, mail, onTried }: ReplayOptions,
): Promise<Pick<ReplayReport, 'events' | 'failed'>> {
  const wanted = planned.filter(isWanted).toSorted(byTime)
  const orders = new Map(wanted.map((event) => [event.event_id, event.share_purchase_id]))
  const lastOfOrder = new Map<string, string>()
  const related = wanted.map(({ event_id: id, share_purchase_id: order }) => {
    const previous = lastOfOrder.get(order)
    lastOfOrder.set(order, id)
    return { id, restsOn: previous === undefined ? [] : [previous] }
  })
  const stopped = new Map<string, unknown>()
  const act = async (event_id: string): Promise<readonly ReplayedEvent[]> => {
    const order = orders.get(event_id) ?? ''
    if (stopped.has(order)) throw stopped.get(order)
    try {
      return await service.call('event.replay', { event_id, dead, mail })
    } catch (error) {
      stopped.set(order, error)
      throw error
    }
  }
  const tried = await tryEach(inBatches(related), { act, onTried })
  const byId = new Map(tried.map((each) => [each.id, each]))
  const resultOf = (event: ReplayedEvent) => byId.get(event.event_id) ?? { id: '', result: [event] }
  const results = planned.map(resultOf)
  return {
    events: results.flatMap((each) => (isFailed(each) ? [] : each.result)),
    failed: results.filter(isFailed),
  }
}

function isWanted({ replayed }: ReplayedEvent): boolean {
  return replayed > 0
}

function byTime(left: ReplayedEvent, right: ReplayedEvent): number {
  return left.created_at < right.created_at ? -1 : left.created_at > right.created_at ? 1 : 0
}
