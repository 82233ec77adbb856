import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../../ports/logger.ts'
import type { Retention } from '../../usecases/retention.ts'

export interface RunningRetention {
  /** Ends after the batch that is under way. */
  stop(): Promise<void>
}

const betweenKeyRunsMs = 60_000
const betweenEventRunsMs = 600_000

/** Gives the removal of what is old its time: at the start, and then regularly. */
export function runRetention(retention: Retention, logger: Logger): RunningRetention {
  const repeat = (run: () => Promise<void>, everyMs: number) => {
    let timer: NodeJS.Timeout | undefined
    let isStopped = false
    const once = async () => {
      await run().catch((error) => logger.error({ error }, 'a purge failed; it is tried again'))
      if (!isStopped) timer = setTimeout(go, everyMs).unref()
    }
    let underWay: Promise<void> = Promise.resolve()
    const go = () => {
      underWay = once()
    }
    go()
    return () => {
      isStopped = true
      clearTimeout(timer)
      return underWay
    }
  }
  const stops = [
    repeat(() => retention.purgeKeys(), betweenKeyRunsMs),
    repeat(() => retention.purgeEvents(), betweenEventRunsMs),
  ]
  return {
    async stop() {
      retention.stop()
      await Promise.all(stops.map((stop) => stop()))
    },
  }
}

/** Others have their turn: a batch takes less than that. */
export const pauseBetweenBatches = () => pause(20)
