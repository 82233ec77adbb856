import { readdirSync, readFileSync } from 'node:fs'
import { Client } from 'undici'
import type { InputShape } from './input-shape.ts'

export interface Target {
  readonly pid: number
  readonly origin: string
  readonly authorization?: string
}

export interface Cost {
  readonly milliseconds: number
  /** The status of the last answer; undefined if nothing was sent. */
  readonly status?: number
}

export interface Effort {
  /** The maximum number of readings. Their median counts. */
  readonly readings: number
  /** After this time, only the minimum number of readings is taken. */
  readonly milliseconds: number
}

const shortEffort: Effort = { readings: 12, milliseconds: 150 }
/** Plain input gets more effort, because all other input is compared with it. */
export const longEffort: Effort = { readings: 200, milliseconds: 800 }

const fewestReadings = 3
const requestsPerReading = 4
/** A request that costs more than this is a reading on its own. */
const longMilliseconds = 20
/** If there is no answer by then, the run ends. */
const answerTimeout = 20_000
let unique = 0

/**
 * Returns the CPU time of the service for a request of this shape: the median of several requests,
 * sent one after the other.
 */
export async function costOf(
  target: Target,
  shape: InputShape,
  effort: Effort = shortEffort,
): Promise<Cost> {
  const client = new Client(target.origin, {
    headersTimeout: answerTimeout,
    bodyTimeout: answerTimeout,
  })
  try {
    let status = await sendOnce(client, target, shape)
    const read = async (requests: number) => {
      const before = cpuNanosecondsOf(target.pid)
      for (let number = 0; number < requests; number++)
        status = await sendOnce(client, target, shape)
      return (cpuNanosecondsOf(target.pid) - before) / requests / 1_000_000
    }
    const first = await read(1)
    const requests = first > longMilliseconds ? 1 : requestsPerReading
    const milliseconds = await medianOf(() => read(requests), effort)
    return { milliseconds, status }
  } finally {
    await client.destroy()
  }
}

async function sendOnce(
  client: Client,
  { authorization }: Target,
  { method = 'GET', path, headers = {}, body }: InputShape,
): Promise<number> {
  const uniquePath = path.replace('%UNIQUE%', () => `${unique++}`)
  const answer = await client.request({
    ...{ method, path: uniquePath, body: body ?? null },
    headers: { ...(authorization && { authorization }), ...headers },
  })
  await answer.body.dump()
  return answer.statusCode
}

/** Returns the CPU time of the same kind of work in this process. */
export async function localCostOf<Input>(
  read: (input: Input) => unknown,
  input: Input,
  effort: Effort = shortEffort,
): Promise<Cost> {
  await read(input)
  const milliseconds = await medianOf(async () => {
    const before = process.cpuUsage()
    await read(input)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }, effort)
  return { milliseconds }
}

async function medianOf(read: () => Promise<number>, effort: Effort): Promise<number> {
  const readings: number[] = []
  const end = performance.now() + effort.milliseconds
  while (
    readings.length < fewestReadings ||
    (readings.length < effort.readings && performance.now() < end)
  ) {
    readings.push(await read())
  }
  const inOrder = readings.toSorted((left, right) => left - right)
  return inOrder[Math.floor(inOrder.length / 2)] as number
}

/**
 * Adds up the CPU time of all threads from `schedstat`, because `stat` counts only in steps of 10
 * ms.
 */
function cpuNanosecondsOf(pid: number): number {
  const threads = `/proc/${pid}/task`
  return readdirSync(threads)
    .map((thread) =>
      Number(readFileSync(`${threads}/${thread}/schedstat`, 'utf8').split(' ', 1)[0]),
    )
    .reduce((left, right) => left + right, 0)
}
