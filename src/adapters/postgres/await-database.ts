import { setTimeout } from 'node:timers/promises'
import { isPassing } from './faults.ts'

export interface DatabasePatience {
  readonly longestMs: number
  /** Told once, of what was said first. */
  readonly onWait: (error: unknown) => void
}

const pauseMs = 500

/** Opens a database that may be starting or recovering: again and again, until it is there or the time is over. */
export async function awaitDatabase<Opened>(
  { longestMs, onWait }: DatabasePatience,
  open: () => Promise<Opened>,
): Promise<Opened> {
  const lastAtMs = performance.now() + longestMs
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await open()
    } catch (error) {
      if (!isPassing(error) || performance.now() + pauseMs > lastAtMs) throw error
      if (attempt === 1) onWait(error)
      await setTimeout(pauseMs)
    }
  }
}
