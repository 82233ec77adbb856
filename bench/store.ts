import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sharePurchaseRecord } from '../fixtures/builders/records.ts'
import { openLowdbStore } from '../src/adapters/lowdb/open-store.ts'
import type { Store } from '../src/ports/store.ts'

/** Measures the file store alone: `npx tsx bench/store.ts 200000 1000000`. */
interface Opened {
  readonly milliseconds: number
  readonly residentBytes: number
}

const ordersPerInvestor = 5
const writers = 50
const singleWrites = 20_000

const [mode, ...rest] = process.argv.slice(2)
if (mode === 'open') await reportOpening(rest[0] ?? '')
else for (const count of [mode ?? '200000', ...rest]) await measure(Number(count))

async function measure(orders: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'coopshare-bench-'))
  try {
    const perSecond = await fill(directory, orders)
    const { milliseconds, residentBytes } = await openElsewhere(directory)
    console.log(
      `${orders} orders: ${perSecond} durable writes a second by ${writers} writers,`,
      `open in ${Math.round(milliseconds)} ms,`,
      `${Math.round(residentBytes / 1e6)} MB resident`,
    )
  } finally {
    rmSync(directory, { recursive: true })
  }
}

async function fill(directory: string, orders: number): Promise<number> {
  const store = await openLowdbStore({ directory })
  for (let start = 0; start < orders; start += 500) {
    await placeOrders(store, start, Math.min(orders, start + 500))
  }
  await store.compact()
  const start = performance.now()
  let next = 0
  const write = async () => {
    while (next < singleWrites) {
      const number = next++
      await placeOrders(store, number, number + 1)
    }
  }
  await Promise.all(Array.from({ length: writers }, write))
  const perSecond = (singleWrites / (performance.now() - start)) * 1000
  await store.compact()
  await store.close()
  return Math.round(perSecond)
}

function placeOrders(store: Store, from: number, to: number): Promise<void> {
  return store.write('test', async ({ sharePurchases }) => {
    for (let number = from; number < to; number += 1) {
      const investorId = uuid(Math.floor(number / ordersPerInvestor))
      const ids = { sharePurchaseId: uuid(number), organizationId: uuid(number % 3), investorId }
      await sharePurchases.put(sharePurchaseRecord(number, ids))
    }
  })
}

function uuid(number: number): string {
  return `${number.toString(16).padStart(8, '0')}-7425-40de-944b-e07fc1f90ae7`
}

/** Opens the store in a separate process, whose memory contains only the store. */
async function openElsewhere(directory: string): Promise<Opened> {
  const child = fork(import.meta.filename, ['open', directory], { execArgv: ['--import', 'tsx'] })
  const [opened] = await once(child, 'message')
  return opened
}

async function reportOpening(directory: string): Promise<void> {
  const start = performance.now()
  const store = await openLowdbStore({ directory })
  const opened: Opened = {
    milliseconds: performance.now() - start,
    residentBytes: process.memoryUsage().rss,
  }
  process.send?.(opened)
  await store.close()
  process.disconnect()
}
