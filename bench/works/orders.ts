// Orders without receivers: everything until the order is stored, with one and with two processes.
import type { Bench, Contestant } from '../bench.ts'
import { placing, requireAllStored } from '../load/partner-loads.ts'
import { startAlternative } from '../servers/alternative.ts'
import { startDatabase } from '../servers/database.ts'
import { startOnEngines, startService } from '../servers/service.ts'

/** With fewer investors, orders would often be for the same one. */
const setUp = { investors: 1000 }
/** After 2,000 orders, V8 still has much code to compile. */
const warmUp = { answers: 10_000, maximumSeconds: 8 }
const seconds = 2

export async function measure(bench: Bench): Promise<void> {
  const { ours, beside } = await startOnEngines(bench, { setUp })
  const own = await placingAt(ours)
  const alternative = await startAlternative(bench, setUp)
  const others = await placingAt([...beside, alternative])
  for (const connections of [16, 64]) {
    await bench.run({ work: 'order', connections, ours: own, others, warmUp, seconds })
  }
  await requireAllStored(bench, [...own, ...others])
  if (bench.engines.includes('postgres')) await measureTwo(bench)
}

async function measureTwo(bench: Bench): Promise<void> {
  const database = await startDatabase(bench)
  const name = 'coopshare, postgres, 2 processes'
  // Both have the same base URL, so that a token of one is valid for the other.
  const options = { name, database, flags: ['--base-url', 'http://partners.example'] }
  const first = await startService(bench, { ...options, setUp })
  const second = await startService(bench, options)
  const { load, ...contestant } = await placing(first, setUp)
  const ours = [
    {
      ...contestant,
      roots: [first.pid, ...second.roots],
      load: { ...load, otherOrigins: [second.origin] },
    },
  ]
  const others = await placingAt([await startAlternative(bench, { ...setUp, workers: 2 })])
  await bench.run({ work: 'order', connections: 64, ours, others, warmUp, seconds })
  await requireAllStored(bench, [...ours, ...others])
}

async function placingAt(servers: readonly Parameters<typeof placing>[0][]) {
  const contestants: Contestant[] = []
  for (const server of servers) contestants.push(await placing(server, setUp))
  return contestants
}
