import { toNodeHandler } from 'h3/node'
import t, { type Test } from 'tap'
import { checkedFetch } from '../../fixtures/contract/check-answer.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { type Peer, startPeer } from '../../fixtures/servers/peer.ts'
import { openStore, temporaryDirectory } from '../../fixtures/stores/engines.ts'
import {
  collectionOf,
  createMarket,
  get,
  type Market,
  placeAccepted,
  sharePurchaseBody,
} from '../../fixtures/world/market.ts'
import { Problem } from '../../src/domain/problem.ts'
import { statusOf } from '../../src/http/problem-details.ts'
import { decideSharePurchase } from '../../src/usecases/share-purchases/change-status.ts'

/**
 * Creates a market with a store on a real disk. Writes wait for the disk, and requests overtake
 * each other.
 */
async function createRacecourse(t: Test): Promise<Market> {
  return createMarket({}, { store: await openStore(t, { directory: temporaryDirectory(t) }) })
}

t.test(
  'simultaneous requests with one key place one order, and all get it [S-placing-8] [D6]',
  async (t) => {
    const market = await createRacecourse(t)
    const { url } = await startPeer(t, toNodeHandler(market.world.app))
    const authorization = `Bearer ${market.world.partner.token}`
    const body = JSON.stringify(sharePurchaseBody(market))

    async function send(key: string) {
      const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': key }
      const init = { method: 'POST', headers, body }
      const answer = await checkedFetch(url + collectionOf(market), init)
      const { share_purchase_id: id } = answer.body as { share_purchase_id: string }
      return { key, id, status: answer.status, isReplay: answer.headers.has('idempotent-replayed') }
    }

    // Requests with several keys run at the same time: while a request with another key writes, those
    // with the same key wait together.
    const families = ['key-1', 'key-2', 'key-3', 'key-4']
    const sent = Array.from({ length: 50 }, () => families).flat()
    const answers = await Promise.all(sent.map(send))
    t.ok(answers.every(({ status }) => status === 201))
    for (const key of families) {
      const twins = answers.filter((answer) => answer.key === key)
      t.equal(new Set(twins.map(({ id }) => id)).size, 1, `${key}: one order`)
      t.equal(twins.filter(({ isReplay }) => !isReplay).length, 1, `${key}: placed once`)
    }
    t.equal((await get(market, collectionOf(market))).body.total_items, families.length)
    const holdings = await get(market, `/v1/investors/${market.investorId}/holdings`)
    t.match(holdings.body.items, exactArrays([{ pending_shares: 5 * families.length }]))
  },
)

/**
 * Starts an operator endpoint on another connection, so that decision and cancellation have equal
 * chances.
 */
function startOperator(t: Test, market: Market): Promise<Peer> {
  return startPeer(t, async ({ url = '' }, response) => {
    try {
      const sharePurchaseId = url.slice(1)
      await decideSharePurchase(market.world.service, { sharePurchaseId, to: 'approved' })
      response.writeHead(200).end()
    } catch (error) {
      response.writeHead(error instanceof Problem ? statusOf(error.code) : 500).end()
    }
  })
}

t.test(
  'when a cancellation and an approval race, one wins and the holding follows the result [S-states-9]',
  async (t) => {
    const market = await createRacecourse(t)
    const partners = await startPeer(t, toNodeHandler(market.world.app))
    const operator = await startOperator(t, market)
    const init = {
      method: 'POST',
      headers: { authorization: `Bearer ${market.world.partner.token}` },
    }
    const wins = { approved: 0, cancelled: 0 }

    async function race(id: string, lane: number): Promise<void> {
      const path = `${collectionOf(market)}/${id}`
      const cancel = () => checkedFetch(`${partners.url}${path}/cancel`, init)
      // biome-ignore lint/style/noRestrictedGlobals: the operator has another interface.
      const approve = () => fetch(`${operator.url}/${id}`, init)
      // The first request has the better chance, so the two alternate.
      const racers = lane % 2 === 0 ? [cancel, approve] : [approve, cancel]
      const answers = await Promise.all([...racers, ...racers].map((set) => set()))
      const statuses = answers.map(({ status }) => status)
      t.strictSame([...statuses].sort(), [200, 409, 409, 409], 'one winner')
      const winner = racers[statuses.indexOf(200) % 2] === cancel ? 'cancelled' : 'approved'
      t.equal((await get(market, path)).body.status, winner)
      wins[winner]++
    }

    for (let round = 0; round < 10; round++) {
      const ids = await Promise.all(Array.from({ length: 10 }, () => placeAccepted(market)))
      await Promise.all(ids.map(race))
      market.world.clock.advance(10)
    }
    t.ok(wins.approved > 0 && wins.cancelled > 0, 'each side has won')
    const { body } = await get(market, `/v1/investors/${market.investorId}/holdings`)
    t.match(body.items, exactArrays([{ shares: 0, pending_shares: 5 * wins.approved }]))
  },
)
