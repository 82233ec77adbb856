import type { Timestamp } from '../../domain/timestamp.ts'
import { atMost, clearTimeout, pause, setTimeout, stopwatchMs } from '../../machine/time.ts'
import type { Logger } from '../../ports/logger.ts'
import type { Timer } from '../../ports/machine.ts'
import { renewSearchTerms } from '../../usecases/investors/renew-search-terms.ts'
import { finishStatements } from '../../usecases/payments/import-statements.ts'
import type { Retention } from '../../usecases/retention.ts'
import type { Service } from '../../usecases/service.ts'
import { nextFateAt, runDueFates } from '../../usecases/share-purchases/fates.ts'
import { resumeRekey } from '../../usecases/store/rekey-store.ts'
import { Dispatcher, type DispatcherOptions } from '../../usecases/webhooks/dispatcher.ts'

/** Work that repeats until it is stopped. The next start does what is left. */
export interface Running {
  /** Waits up to `patienceMs` for the work in progress. */
  stop(patienceMs: number): Promise<void>
}

/** The dispatcher sleeps no longer than this, because the clock may jump. */
const longestSleepMs = 30_000
/**
 * The dispatcher sleeps at least this long: otherwise it would poll without a pause while a due delivery has no free
 * slot.
 */
const shortestSleepMs = 50
/** The minimum time between two reads of the next due time, while outcomes are recorded. */
const askMs = 1000
/** Time for cancelled attempts to end. */
const lastMs = 500
const renewalRetryMs = 1000

export interface Deliveries extends Running {
  readonly dispatcher: Dispatcher
  /** Aborts attempts in flight, lets `work` change the store, and begins again with the new state of the store. */
  restart(work: () => Promise<void>): Promise<void>
}

/** The work of the service besides answering requests. */
export interface Background {
  readonly deliveries: Deliveries
  readonly retention: Retention
  readonly retaining: Running
  readonly rekeying: Running
  readonly importing: Running
  /** undefined without `--backup-every`. */
  readonly backups: Running | undefined
  /** undefined in production. */
  readonly fates: Running | undefined
  /** undefined for a store in a database. */
  readonly watching: Running | undefined
}

export function startDeliveries(service: Service, options: DispatcherOptions): Deliveries {
  let dispatcher = new Dispatcher(service, options)
  let running = runDispatcher(service, dispatcher)
  return {
    get dispatcher() {
      return dispatcher
    },
    stop: (patienceMs) => running.stop(patienceMs),
    async restart(work) {
      await running.stop(0)
      try {
        await work()
      } finally {
        dispatcher = new Dispatcher(service, options)
        running = runDispatcher(service, dispatcher)
      }
    },
  }
}

/** Calls the dispatcher when deliveries are stored and when the next one is due. */
function runDispatcher({ store, clock }: Service, dispatcher: Dispatcher): Running {
  const isOver = new AbortController()
  const { signal } = isOver
  const timer = new WakeUp(() => void look())
  let askedMs = stopwatchMs()
  const look = async () => {
    const calledAt = clock.now()
    await dispatcher.startDue()
    askedMs = stopwatchMs()
    const next = await dispatcher.nextDueAt(calledAt).catch(() => undefined)
    if (!signal.aborted) timer.setFor(askedMs + sleepMs(next, clock.now()))
  }
  const keepLeases = async (everyMs: number) => {
    while (!signal.aborted) {
      const renewing = dispatcher.renewLeases()
      const isRenewed = await renewing.then(
        () => true,
        () => false,
      )
      await sleep(isRenewed ? everyMs : renewalRetryMs, signal)
    }
  }
  const askSoon = () => timer.setFor(askedMs + askMs)
  dispatcher.onPostponed(askSoon)
  const unwatch = store.watchDeliveries(() => {
    void dispatcher.startDue()
    askSoon()
  })
  void look()
  const { renewEveryMs } = store.receiverLeases
  if (renewEveryMs !== undefined) void keepLeases(renewEveryMs)
  return {
    async stop(patienceMs) {
      isOver.abort()
      unwatch()
      timer.clear()
      const impatience = setTimeout(() => dispatcher.abortAll(), patienceMs)
      // The store may not answer.
      await atMost(patienceMs + lastMs, dispatcher.stop())
      clearTimeout(impatience)
    },
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return pause(ms, signal).catch(() => undefined)
}

function sleepMs(next: Timestamp | undefined, now: Timestamp): number {
  // A timer may fire a millisecond early.
  const untilNext = next ? Date.parse(next) - Date.parse(now) + 1 : longestSleepMs
  return Math.min(Math.max(untilNext, shortestSleepMs), longestSleepMs)
}

/** A timer that can only be moved to an earlier time. */
class WakeUp {
  readonly #wake: () => void
  #timer: Timer | undefined
  #atMs = Number.POSITIVE_INFINITY

  constructor(wake: () => void) {
    this.#wake = wake
  }

  setFor(atMs: number): void {
    if (this.#atMs <= atMs) return
    clearTimeout(this.#timer)
    this.#atMs = atMs
    const wake = () => {
      this.clear()
      this.#wake()
    }
    this.#timer = setTimeout(wake, Math.max(0, atMs - stopwatchMs()))
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.#atMs = Number.POSITIVE_INFINITY
  }
}

const betweenKeyRunsMs = 60_000
const betweenEventRunsMs = 600_000
const betweenRekeyLooksMs = 60_000

/** Runs at the start and then regularly. Returns a function that stops it. */
function repeat(
  run: () => Promise<void>,
  everyMs: number,
  onFailure: (error: unknown) => void,
): () => Promise<void> {
  let timer: Timer | undefined
  let isStopped = false
  const once = async () => {
    // When the service stops, its store is closed.
    await run().catch((error) => isStopped || onFailure(error))
    if (!isStopped) timer = setTimeout(go, everyMs).unref()
  }
  let running: Promise<void> = Promise.resolve()
  const go = () => {
    running = once()
  }
  go()
  return () => {
    isStopped = true
    clearTimeout(timer)
    return running
  }
}

/** Finishes a change of the keys that was interrupted, and makes search terms again after a salvage or an upgrade. */
export function runRekeying(service: Service, logger: Logger): Running {
  const stops = [
    repeat(
      () => resumeRekey(service),
      betweenRekeyLooksMs,
      (error) => logger.error({ error }, 'the keys could not be replaced; the service will retry'),
    ),
    repeat(
      () => renewSearchTerms(service),
      betweenRekeyLooksMs,
      (error) =>
        logger.error({ error }, 'the search terms could not be renewed; the service will retry'),
    ),
  ]
  return {
    // A change can take minutes, and the next start continues it.
    async stop() {
      for (const stop of stops) void stop()
    },
  }
}

const betweenImportTriesMs = 60_000

/** Applies, once, the statements whose import a crash has interrupted. */
export function finishImports(service: Service, logger: Logger): Running {
  const isOver = new AbortController()
  const { signal } = isOver
  const run = async () => {
    while (!signal.aborted) {
      try {
        return await finishStatements(service, signal)
      } catch (error) {
        // When the service stops, its store is closed.
        if (signal.aborted) return
        logger.error({ error }, 'an import could not be finished; the service will retry')
        await sleep(betweenImportTriesMs, signal)
      }
    }
  }
  const running = run()
  return {
    async stop(patienceMs) {
      isOver.abort()
      await atMost(patienceMs, running)
    },
  }
}

/** Runs at the start and then regularly. */
export function runRetention(retention: Retention, logger: Logger): Running {
  const onFailure = (error: unknown) =>
    logger.error({ error }, 'a purge failed and will be repeated')
  const stops = [
    repeat(() => retention.purgeKeys(), betweenKeyRunsMs, onFailure),
    repeat(() => retention.purgeEvents(), betweenEventRunsMs, onFailure),
  ]
  return {
    async stop(patienceMs) {
      retention.stop()
      await atMost(patienceMs, Promise.all(stops.map((stop) => stop())))
    },
  }
}

/** A loss is promised to be found within a second. Each look asks the disk seven times. */
const betweenDirectoryLooksMs = 500

/** Looks whether the files of the store are still those that were opened. The store stops at the first loss. */
export function watchDirectory(
  { storeAdmin }: Pick<Service, 'storeAdmin'>,
  logger: Logger,
): Running {
  const isOver = new AbortController()
  const { signal } = isOver
  const run = async () => {
    try {
      while (!signal.aborted) {
        await storeAdmin.requireOwnFiles()
        await sleep(betweenDirectoryLooksMs, signal)
      }
    } catch (error) {
      logger.error({ error }, 'the data directory was lost; nothing is stored any more')
    }
  }
  const running = run()
  return {
    async stop(patienceMs) {
      isOver.abort()
      await atMost(patienceMs, running)
    },
  }
}

const betweenFateLooksMs = 1000

/** Decides orders by their fates, in staging. Polls when something was stored, and when the next step is due. */
export function runFates(service: Service, logger: Logger): Running {
  const isOver = new AbortController()
  const { signal } = isOver
  let lookedMs = stopwatchMs()
  const look = async () => {
    lookedMs = stopwatchMs()
    try {
      let next = await nextFateAt(service)
      if (next !== undefined && next <= service.clock.now()) {
        await runDueFates(service, signal)
        next = await nextFateAt(service)
      }
      return sleepMs(next, service.clock.now())
    } catch (error) {
      logger.error({ error }, 'the fate of an order could not be carried out')
      return longestSleepMs
    }
  }
  let running: Promise<void> = Promise.resolve()
  const go = () => {
    running = running.then(async () => {
      if (signal.aborted) return
      const untilNextMs = await look()
      const atMs = Math.max(stopwatchMs() + untilNextMs, lookedMs + betweenFateLooksMs)
      if (!signal.aborted) timer.setFor(atMs)
    })
  }
  const timer = new WakeUp(go)
  const unwatch = service.store.watchDeliveries(() => timer.setFor(lookedMs + betweenFateLooksMs))
  go()
  return {
    async stop(patienceMs) {
      isOver.abort()
      unwatch()
      timer.clear()
      await atMost(patienceMs, running)
    },
  }
}

/**
 * A poll costs the store as much for one delivery as for several, so later polls wait for more. The first poll after
 * a silence starts immediately.
 */
export const pauseBetweenReads = () => pause(10)

/** A batch takes less time than this pause, so requests are not held up. */
export const pauseBetweenBatches = () => pause(20)
