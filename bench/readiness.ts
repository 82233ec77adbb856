import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'

const everyMs = 10

/**
 * Asks a service repeatedly whether it is ready while some work is under way. Returns the longest
 * time of an answer with the result. If both fail, the error is that of the work.
 */
export async function watchReadiness<Result>(
  origin: string,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly slowestReadyMs: number }> {
  const watched = new AbortController()
  const asking = askUntil(watched.signal, `${origin}/readyz`)
  // The error is thrown below, when the work has ended.
  asking.catch(() => undefined)
  const result = await work().finally(() => watched.abort())
  return { result, slowestReadyMs: await asking }
}

async function askUntil(over: AbortSignal, url: string): Promise<number> {
  let slowestMs = 0
  while (!over.aborted) {
    const askedAt = performance.now()
    const { statusCode, body } = await request(url)
    await body.dump()
    if (statusCode !== 200) throw new Error(`${url}: ${statusCode}`)
    slowestMs = Math.max(slowestMs, performance.now() - askedAt)
    await pause(everyMs)
  }
  return slowestMs
}
