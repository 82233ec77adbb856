// Opens the connections of a burst, sends the burst when the parent process asks for it, and
// reports the results.
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Connection } from './connection.ts'
import type { Burst, Outcome } from './load.ts'
import { openAll } from './opened-client.ts'

/** The maximum wait for the last answers. */
const lastSeconds = 10

// Without its parent this process has nothing to do.
process.on('disconnect', () => process.exit())

for (;;) {
  const [burst] = (await once(process, 'message')) as [Burst]
  const connections = await open(burst)
  process.send?.('open')
  await once(process, 'message')
  process.send?.(await send(connections, burst.seconds))
}

async function open({ load, connections: count }: Burst): Promise<readonly Connection[]> {
  const connections = Array.from(
    { length: count },
    (_, number) => new Connection(load, number, count),
  )
  await openAll(connections)
  return connections
}

async function send(connections: readonly Connection[], seconds: number): Promise<Outcome> {
  const startedAt = performance.now()
  const running = Promise.all(connections.map((connection) => connection.run()))
  await pause(seconds * 1000)
  for (const connection of connections) connection.finish()
  const deadline = setTimeout(() => giveUp(connections), lastSeconds * 1000)
  await running
  clearTimeout(deadline)
  return summarize(connections, (performance.now() - startedAt) / 1000)
}

function giveUp(connections: readonly Connection[]): void {
  for (const connection of connections) connection.giveUp(`no answer within ${lastSeconds} s`)
}

function summarize(connections: readonly Connection[], seconds: number): Outcome {
  const times = Float64Array.from(connections.flatMap(({ times }) => times)).sort()
  const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? Number.NaN
  const sum = (figure: (connection: Connection) => number) =>
    connections.reduce((all, connection) => all + figure(connection), 0)
  const answers = sum((connection) => connection.answers)
  return {
    answers,
    seconds,
    perSecond: answers / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    wrong: sum(({ wrongCount }) => wrongCount),
    firstWrong: connections.find(({ firstWrong }) => firstWrong !== null)?.firstWrong ?? null,
  }
}
