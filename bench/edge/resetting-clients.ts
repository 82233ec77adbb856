import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { readMetric } from '../operator.ts'
import type { RunningService } from '../service.ts'

const [sockets, requests] = [20, 1000]
/** Garbage collection runs at any time, so the lowest of several readings counts. */
const [readings, readingMs] = [10, 200]

export const resetting = `${sockets} sockets at a time, each with ${requests} requests at once, reset after the first byte`

export interface Flooded {
  readonly connections: number
  readonly heapMegabytes: number
  readonly inFlight: number
}

/** Starts clients that send many requests and reset the connection when the first answer begins. */
export async function floodAndReset(service: RunningService, seconds: number): Promise<Flooded> {
  const endsAt = performance.now() + seconds * 1000
  let connections = 0
  const flood = async () => {
    while (performance.now() < endsAt) {
      await sendAndReset(service.origin)
      connections += 1
    }
  }
  await Promise.all(Array.from({ length: sockets }, flood))
  const heaps: number[] = []
  for (let reading = 0; reading < readings; reading++) {
    await pause(readingMs)
    heaps.push(await readMetric(service.directory, 'nodejs_heap_size_used_bytes'))
  }
  const inFlight = await readMetric(service.directory, 'coopshare_http_requests_under_way')
  return { connections, heapMegabytes: Math.min(...heaps) / 1e6, inFlight }
}

async function sendAndReset(origin: string): Promise<void> {
  const { hostname, port, host } = new URL(origin)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(`GET /x HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(requests))
  await Promise.race([once(socket, 'readable'), once(socket, 'close')])
  socket.resetAndDestroy()
}
