import { invalid } from '../../config/common-flags.ts'
import { listRemovable } from '../../http/bench/exchange-recorder.ts'
import type { BenchControl } from '../../http/bench/routes.ts'
import type { OpenedService } from '../../open-service.ts'
import { systemAuditContext, withAudit } from '../../usecases/audit/record-audit.ts'
import { advanceClock, type TimedWork } from '../../usecases/bench/advance-clock.ts'
import type { Bench } from '../../usecases/bench/bench.ts'
import type { Service } from '../../usecases/service.ts'
import { nextFateAt, runDueFates } from '../../usecases/share-purchases/fates.ts'
import type { Background } from './background-jobs.ts'

/**
 * Remembers the data of the start, so that tests can return to it; undefined without --bench. `findBackground` is
 * undefined until the service has started.
 */
export async function startBench(
  { service, bench, markRandom }: OpenedService,
  findBackground: () => Background | undefined,
): Promise<BenchControl | undefined> {
  if (!bench) return undefined
  await requireKnownProperty(bench)
  const restore = await service.storeAdmin.remember()
  const rewindRandom = markRandom?.()
  const inTurn = createTurns()
  const requireBackground = () => {
    const background = findBackground()
    if (!background) throw new Error('The service has not started yet.')
    return background
  }
  return {
    bench,
    advance: (advance) =>
      inTurn(async () => {
        const { deliveries, retention } = requireBackground()
        const works = [timedFates(service), timedDeliveries(deliveries)]
        await advanceClock(bench.clock, works, advance)
        await retention.purgeKeys()
        await retention.purgeEvents()
        return bench.clock.now()
      }),
    reset: () =>
      inTurn(() =>
        requireBackground().deliveries.restart(async () => {
          await restore()
          rewindRandom?.()
          bench.reset()
        }),
      ),
  }
}

/** A property that no answer contains would change nothing, and tests would pass without reason. */
async function requireKnownProperty({ contractPreview }: Bench): Promise<void> {
  if (typeof contractPreview !== 'object') return
  const { removed } = contractPreview
  if ((await listRemovable()).has(removed)) return
  throw invalid(
    `--contract-preview: no answer with data and no event has a property "${removed}" in the contract.`,
  )
}

/** Decisions cause deliveries, so they come first. */
function timedFates(service: Service): TimedWork {
  const audited = withAudit(service, systemAuditContext('fate'))
  return {
    run: () => runDueFates(audited),
    nextDueAt: () => nextFateAt(service),
    describe: () => '',
  }
}

function timedDeliveries({ dispatcher }: Background['deliveries']): TimedWork {
  return {
    run: () => dispatcher.dispatchDue(),
    nextDueAt: () => dispatcher.nextDueAt(),
    describe: () => {
      const receivers = dispatcher.receiversInUse
      return receivers.length === 0 ? '' : `deliveries to ${receivers.join(', ')}`
    },
  }
}

/** Commands that move the clock run one after the other. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve()
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(work, work)
    last = turn.catch(() => undefined)
    return turn
  }
}
