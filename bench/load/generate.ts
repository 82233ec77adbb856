// Sends bursts that its parent asks for, and tells what came of them.
import { setTimeout as pause } from 'node:timers/promises'
import { Connection } from './connection.ts'
import type { Burst, Outcome } from './load.ts'

process.on('message', async (burst: Burst) => {
  process.send?.(await send(burst))
})

// Whoever asked is gone.
process.on('disconnect', () => process.exit())

async function send({ load, connections: count, seconds }: Burst): Promise<Outcome> {
  const connections = Array.from({ length: count }, (_, number) => new Connection(load, number))
  const startedAt = performance.now()
  const running: Promise<void>[] = []
  for (const [number, connection] of connections.entries()) {
    running.push(connection.run())
    // More than the system queues at once would wait for it to ask again, which is not the server's doing.
    if (number % 100 === 99) await pause(300)
  }
  await pause(seconds * 1000)
  for (const connection of connections) connection.finish()
  await Promise.all(running)
  return summarize(connections, (performance.now() - startedAt) / 1000)
}

function summarize(connections: readonly Connection[], seconds: number): Outcome {
  const times = Float64Array.from(connections.flatMap(({ times }) => times)).sort()
  const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? Number.NaN
  const wrong = connections.flatMap((connection) => connection.wrong)
  return {
    answers: times.length,
    seconds,
    perSecond: times.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    connectedInMs: Math.max(...connections.map(({ connectMs = 0 }) => connectMs)),
    unconnected: connections.filter(({ connectMs }) => connectMs === undefined).length,
    wrong: connections.reduce((sum, { wrongCount }) => sum + wrongCount, 0),
    firstWrong: wrong[0] ?? null,
    statuses: countStatuses(connections),
  }
}

function countStatuses(connections: readonly Connection[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { statuses } of connections) {
    for (const [status, count] of statuses) counts[status] = (counts[status] ?? 0) + count
  }
  return counts
}
