// A small app of a partner: it quotes and places orders, and follows them by webhook.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createClient, verifyWebhook, WebhookVerificationError } from 'coopshare/client'

const orderPath = '/v1/investors/{investorId}/share-purchases'
const cents = (amount) => Math.round(Number(amount ?? 0) * 100)

export function createPartnerApp({ url: baseUrl, clientId, clientSecret, signingSecret }) {
  const client = createClient({ baseUrl, clientId, clientSecret })
  const orders = new Map()
  const processed = new Set()

  /** Returns the data of an answer. A refusal is an error with its code. */
  async function answer(call) {
    const { data, error } = await call
    if (!error) return data
    const { status, code, title, detail } = error
    throw Object.assign(new Error(`${status} ${detail ?? title}`), { code })
  }

  async function quote(cooperativeId, shares) {
    const params = { path: { id: cooperativeId } }
    const { share_price, entry_fee } = await answer(client.GET('/v1/cooperatives/{id}', { params }))
    return { cooperativeId, shares, total: cents(share_price) * shares + cents(entry_fee) }
  }

  /** Places an order, and cancels it if it costs more than the quote that the customer saw. */
  async function order(investorId, { cooperativeId, shares, total }, idempotencyKey) {
    const at = '2026-11-20T09:00:00Z'
    const body = {
      cooperative_id: cooperativeId,
      share_count: shares,
      sepa_mandate: { signed_at: at },
      statute_consent_given_at: at,
    }
    const params = { path: { investorId } }
    const placed = await answer(client.POST(orderPath, { params, body, idempotencyKey }))
    const id = placed.share_purchase_id
    orders.set(id, { status: placed.status, at: placed.created_at })
    if (cents(placed.total) <= total) return id
    await cancel(investorId, id)
    throw new Error('the price has changed')
  }

  async function cancel(investorId, purchaseId) {
    const params = { path: { investorId, purchaseId } }
    return answer(client.POST(`${orderPath}/{purchaseId}/cancel`, { params }))
  }

  /** An order that is placed meanwhile moves others to the next page, so this counts each order once. */
  async function list(investorId, { size = 100, onOrder = async () => {} } = {}) {
    const found = new Map()
    const params = { path: { investorId }, query: { size } }
    for await (const each of client.pages(orderPath, { params })) {
      found.set(each.share_purchase_id, each)
      await onOrder(each)
    }
    return [...found.values()]
  }

  /** A repeated or older event changes nothing, and an event of an unknown type is acknowledged. */
  function receive({ id, type, created_at: at, data }) {
    if (processed.has(id) || !type.startsWith('share_purchase.')) return
    processed.add(id)
    const known = orders.get(data.share_purchase_id)
    if (data.status && !(known?.at > at))
      orders.set(data.share_purchase_id, { status: data.status, at })
  }

  function statusFor(body, headers) {
    if (app.failing) return 500
    try {
      receive(verifyWebhook({ body, headers, secrets: [app.signingSecret] }))
      return 204
    } catch (error) {
      if (error instanceof WebhookVerificationError) return 401
      throw error
    }
  }

  async function listen() {
    const server = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray())
      response.writeHead(statusFor(body, request.headers)).end()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const close = () => server.closeAllConnections() ?? server.close()
    return { url: `http://127.0.0.1:${server.address().port}/hooks`, close }
  }

  const statusOf = (id) => orders.get(id)?.status
  const app = { client, signingSecret, processed, failing: false }
  return Object.assign(app, { answer, quote, order, cancel, list, listen, statusOf })
}
