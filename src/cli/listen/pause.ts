import { setTimeout } from 'node:timers/promises'

/** Over at once when `signal` says so. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal }).catch((error) => {
    if (!signal.aborted) throw error
  })
}
