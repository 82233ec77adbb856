import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'
import { median } from '../compare.ts'
import type { RunningService } from '../service.ts'

const requests = 20
/** After this time, the published limits allow the requests of a second again. */
const restMs = 5000
const maximumMs = 1000

export interface Calm {
  readonly medianMs: number
  readonly faults: readonly string[]
}

/** Sends twenty requests in a second, each of which must be answered with this text. */
export async function askCalmly(
  { origin, headers }: RunningService,
  path: string,
  text: string,
): Promise<Calm> {
  await pause(restMs)
  const times: number[] = []
  const faults: string[] = []
  for (let number = 0; number < requests; number++) {
    const startedAt = performance.now()
    const fault = await askOnce(`${origin}${path}`, headers, text)
    if (fault) faults.push(fault)
    times.push(performance.now() - startedAt)
    await pause(1000 / requests)
  }
  const slowest = Math.max(...times)
  if (slowest > maximumMs) faults.push(`an answer took ${slowest.toFixed(0)} ms`)
  const each = [...new Set(faults)].map((fault) => `afterwards, calmly: ${fault}`)
  return { medianMs: median(times), faults: each }
}

async function askOnce(
  url: string,
  headers: RunningService['headers'],
  text: string,
): Promise<string | undefined> {
  try {
    const { statusCode, body } = await request(url, { headers, headersTimeout: 10 * maximumMs })
    const answer = await body.text()
    if (statusCode !== 200) return `${statusCode}`
    return answer === text ? undefined : 'an answer differs from the first one'
  } catch (error) {
    return (error as Error).message
  }
}
