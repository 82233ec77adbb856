import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type PartnerClient, signIn } from '../../fixtures/partner-client.ts'
import { fillStore } from '../../fixtures/run-command.ts'
import { type SeededOrders, seedOrders } from '../../fixtures/seed-orders.ts'
import { type Served, serve } from '../../fixtures/served.ts'
import { withLengths } from '../../fixtures/with-lengths.ts'

const rounds = 20
const workers = 8
const mostAcknowledged = 60
const unlimited = ['--rate-limit', '1000000', '--address-rate-limit', '1000000']

/** What the partner has sent and been told, over all rounds. */
interface Ledger {
  readonly keys: string[]
  readonly acknowledged: Map<string, string>
}

interface Round {
  readonly served: Served
  readonly partner: PartnerClient
}

interface Scene {
  readonly dataDirectory: string
  readonly seed: SeededOrders
}

async function start(t: Test, { dataDirectory, seed }: Scene): Promise<Round> {
  const argv = [...unlimited, '--log-level', 'silent', '--data-dir', dataDirectory]
  const served = await serve(t, argv)
  const credentials = { client_id: seed.clientId, client_secret: seed.clientSecret }
  return { served, partner: await signIn(served.base_url, credentials) }
}

/** Places orders until the service is gone, which `acknowledged` may see to. */
async function placeOrders(
  partner: PartnerClient,
  seed: SeededOrders,
  ledger: Ledger,
  acknowledged: () => void,
) {
  for (;;) {
    const key = `order-${ledger.keys.length}`
    ledger.keys.push(key)
    const answer = await partner.order(seed.investorId, seed.cooperativeId, key).catch(() => null)
    if (!answer) return
    if (answer.status !== 201) continue
    ledger.acknowledged.set(key, answer.body.share_purchase_id)
    acknowledged()
  }
}

/** Writes the store anew again and again, until the service is gone. */
async function compact({ operator_url }: Served, dataDirectory: string): Promise<void> {
  const { token } = JSON.parse(await readFile(join(dataDirectory, 'control.json'), 'utf8'))
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const url = `${operator_url}/operations/store.compact`
  const isThere = () =>
    // biome-ignore lint/style/noRestrictedGlobals: the contract is that of partners, and this is the operator endpoint.
    fetch(url, { method: 'POST', headers, body: '{}' }).then(
      () => true,
      () => false,
    )
  while (await isThere());
}

async function listOrders(partner: PartnerClient, { investorId }: SeededOrders): Promise<string[]> {
  const ids: string[] = []
  for (let page = 1; ; page += 1) {
    const path = `/v1/investors/${investorId}/share-purchases?size=100&page=${page}`
    const { body } = await partner.send('GET', path)
    for (const { share_purchase_id } of body.items) ids.push(share_purchase_id)
    if (!body.has_next) return ids
  }
}

function requireAcknowledged(t: Test, listed: readonly string[], { acknowledged }: Ledger) {
  const there = new Set(listed)
  const lost = [...acknowledged.values()].filter((id) => !there.has(id))
  t.strictSame(lost, [], `all ${acknowledged.size} acknowledged orders are there`)
  t.equal(there.size, listed.length, 'each of them once')
}

t.test('kill -9 at random moments under concurrent orders loses no acknowledged one', async (t) => {
  const dataDirectory = t.testdir()
  const scene = { dataDirectory, seed: await fillStore(dataDirectory, seedOrders(0)) }
  const { seed } = scene
  const ledger: Ledger = { keys: [], acknowledged: new Map() }

  for (let round = 0; round < rounds; round += 1) {
    const { served, partner } = await start(t, scene)
    requireAcknowledged(t, await listOrders(partner, seed), ledger)
    // A moment counted in orders comes while orders are placed, on however slow a machine.
    const moment = ledger.acknowledged.size + randomInt(1, mostAcknowledged)
    const acknowledged = () => {
      if (ledger.acknowledged.size === moment) setImmediate(() => served.stop('SIGKILL'))
    }
    const busy = Array.from({ length: workers }, () =>
      placeOrders(partner, seed, ledger, acknowledged),
    )
    if (round % 2 === 1) busy.push(compact(served, dataDirectory))
    t.match(await served.ended, { signal: 'SIGKILL' })
    await Promise.all(busy)
  }
  t.ok(ledger.acknowledged.size > rounds, 'orders were acknowledged')
  t.ok(ledger.acknowledged.size < ledger.keys.length, 'and some were cut off')

  const { served, partner } = await start(t, scene)
  await t.test('a retry under the same key makes each order exactly once', async (t) => {
    const ids = new Map<string, string>()
    const retry = async (key: string) => {
      const { body } = await partner.order(seed.investorId, seed.cooperativeId, key)
      ids.set(key, body.share_purchase_id)
    }
    for (let done = 0; done < ledger.keys.length; done += workers) {
      await Promise.all(ledger.keys.slice(done, done + workers).map(retry))
    }
    const changed = [...ledger.acknowledged].filter(([key, id]) => ids.get(key) !== id)
    t.strictSame(changed, [], 'what was acknowledged is what the key stands for')
    const listed = await listOrders(partner, seed)
    t.strictSame(new Set(listed), new Set(ids.values()))
    t.equal(listed.length, ledger.keys.length)
  })

  await t.test('the holding adds up to the orders', async (t) => {
    const { body } = await partner.send('GET', `/v1/investors/${seed.investorId}/holdings`)
    t.match(body.items, withLengths([{ shares: 0, pending_shares: 5 * ledger.keys.length }]))
  })
  t.match(await served.stop(), { code: 0 })
})
