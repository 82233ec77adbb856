// `npm run bench:webhooks` measures how fast the service sends events, and whether an unresponsive
// receiver delays another receiver.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { orderFor } from '../fixtures/world/seed-orders.ts'
import { renderTable } from '../src/cli/table.ts'
import { newEndpoint } from '../src/domain/webhooks/webhook-endpoint.ts'
import type { Service } from '../src/usecases/service.ts'
import { readArguments, wholeNumber } from './arguments.ts'
import { type FilledOrders, fillOrders } from './fill-orders.ts'
import { fillStore } from './fill-store.ts'
import { type ServedPartner, servePartner } from './partner.ts'
import { withFolder } from './with-folder.ts'

const [queued, orders] = readArguments(() => {
  const { values } = parseArgs({
    options: {
      events: { type: 'string', default: '10000' },
      orders: { type: 'string', default: '500' },
    },
  })
  return [wholeNumber('--events', values.events), wholeNumber('--orders', values.orders)]
})

interface Sink {
  readonly url: string
  /** The time at which the event of each order arrived. */
  readonly arrivals: Map<string, number>
  readonly server: Server
}

async function startSink(hangs = false): Promise<Sink> {
  const arrivals = new Map<string, number>()
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += chunk))
    request.on('end', () => {
      arrivals.set(JSON.parse(text).data.share_purchase_id, performance.now())
      if (!hangs) response.writeHead(204).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, arrivals, server }
}

/** Stores the endpoint directly, because a command would refuse its loopback address. */
async function register(service: Service, organizationId: string, urls: readonly string[]) {
  const { store, vault, random, clock } = service
  const [createdAt, updatedAt] = [clock.now(), clock.now()]
  await store.write('test', async ({ webhookEndpoints }) => {
    for (const url of urls) {
      const webhookEndpointId = random.id()
      const sealedSigningSecret = vault.seal(`whsec_${random.secret()}`)
      const identity = { webhookEndpointId, organizationId, url, sealedSigningSecret }
      await webhookEndpoints.put({ ...identity, ...newEndpoint, createdAt, updatedAt })
    }
  })
}

function fill(count: number, ...urls: readonly string[]) {
  return fillOrders(count, (service, organizationId) => register(service, organizationId, urls))
}

async function measureThroughput(directory: string) {
  const sink = await startSink()
  const seeded = await fillStore(directory, fill(queued, sink.url))
  const service = await servePartner(directory, seeded, ['--allow-private-webhooks'])
  while (sink.arrivals.size < queued) await pause()
  const times = [...sink.arrivals.values()]
  await stop(service, sink)
  const seconds = (Math.max(...times) - Math.min(...times)) / 1000
  return { queued, perSecond: (queued / seconds).toFixed(0) }
}

/** Events that are queued for each receiver before it starts. */
const behind = 200

/** Measures the time from the answer to an order until its event arrives. */
async function measureLag(directory: string, hanging: number) {
  const [sink, other] = [await startSink(), await startSink(true)]
  const others = Array.from({ length: hanging }, (_, number) => `${other.url}${number}`)
  const seeded = await fillStore(directory, fill(behind, sink.url, ...others))
  const service = await servePartner(directory, seeded, ['--allow-private-webhooks'])
  while (sink.arrivals.size < behind) await pause()
  const lags: number[] = []
  for (let order = 0; order < orders; order += 1) lags.push(await lagOf(service, seeded, sink))
  await stop(service, sink, other)
  return { title: hanging === 0 ? 'alone' : `${hanging} others hang`, lags }
}

async function lagOf(service: ServedPartner, seeded: FilledOrders, { arrivals }: Sink) {
  const path = `/v1/investors/${seeded.investorId}/share-purchases`
  const order = await service.send(
    'POST',
    path,
    orderFor(seeded.cooperativeId, new Date().toISOString()),
  )
  const answeredAt = performance.now()
  while (!arrivals.has(order.share_purchase_id)) await pause()
  return Math.max(0, (arrivals.get(order.share_purchase_id) ?? 0) - answeredAt)
}

function percentile(values: readonly number[], share: number): string {
  const sorted = [...values].sort((left, right) => left - right)
  return `${(sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(2)} ms`
}

function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

async function stop(service: ServedPartner, ...sinks: readonly Sink[]): Promise<void> {
  for (const { server } of sinks) server.close().closeAllConnections()
  await service.stop()
}

await withFolder(async (root) => {
  console.log(
    renderTable([await measureThroughput(join(root, 'throughput'))], {
      'events queued': (row) => row.queued,
      'to a healthy receiver': ({ perSecond }) => `${perSecond} events/s`,
    }),
  )
  console.log()
  const rows: Awaited<ReturnType<typeof measureLag>>[] = []
  for (const hanging of [0, 1, 40]) {
    rows.push(await measureLag(join(root, `beside-${hanging}`), hanging))
  }
  console.log(
    renderTable(rows, {
      'the healthy receiver': ({ title }) => title,
      'median lag': ({ lags }) => percentile(lags, 0.5),
      '99 %': ({ lags }) => percentile(lags, 0.99),
      slowest: ({ lags }) => percentile(lags, 1),
    }),
  )
})
