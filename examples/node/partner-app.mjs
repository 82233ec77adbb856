// A small app of a partner: it quotes and places orders, and follows them by webhook.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

const attempts = 3
const toleranceSeconds = 300

/** @param pause waits for a number of milliseconds; tests replace it */
export function createPartnerApp({ url, clientId, clientSecret, signingSecret, pause = wait }) {
  const orders = new Map()
  const processed = new Set()
  let token

  async function getToken() {
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
    const answer = await send('/oauth2/token', {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    })
    if (answer.status !== 200) throw new Error(`no token: ${answer.body.error}`)
    return answer.body.access_token
  }

  /** Repeats a request that may succeed later, after a lost connection, 429 or 5xx. */
  async function send(path, request) {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await fetch(`${url}${path}`, request)
        .then(async (got) => ({ status: got.status, headers: got.headers, body: await got.json() }))
        .catch(() => undefined)
      if (answer && answer.status !== 429 && answer.status < 500) return answer
      if (attempt === attempts) throw new Error(`no answer: ${answer?.status ?? 'connection lost'}`)
      await pause(1000 * Math.max(answer?.headers.get('retry-after') ?? 0, attempt))
    }
  }

  async function call(method, path, body, headers = {}) {
    for (const isLast of [false, true]) {
      token ??= await getToken()
      const answer = await send(path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          ...headers,
        },
        body: body && JSON.stringify(body),
      })
      if (answer.status === 401 && !isLast) token = undefined
      else if (answer.status < 400) return answer.body
      else throw Object.assign(new Error(answer.body.detail), { code: answer.body.code })
    }
  }

  async function quote(cooperativeId, shares) {
    const { share_price, entry_fee } = await call('GET', `/v1/cooperatives/${cooperativeId}`)
    const cents = (amount) => Math.round(Number(amount ?? 0) * 100)
    return { cooperativeId, shares, total: cents(share_price) * shares + cents(entry_fee) }
  }

  /** Places an order, and cancels it if it costs more than the quote that the customer saw. */
  async function order(investorId, { cooperativeId, shares, total }, key = crypto.randomUUID()) {
    const path = `/v1/investors/${investorId}/share-purchases`
    const at = '2026-11-20T09:00:00Z'
    const body = { cooperative_id: cooperativeId, share_count: shares }
    const consents = { sepa_mandate: { signed_at: at }, statute_consent_given_at: at }
    const placed = await call('POST', path, { ...body, ...consents }, { 'idempotency-key': key })
    const id = placed.share_purchase_id
    orders.set(id, { status: placed.status, at: placed.created_at })
    if (Math.round(Number(placed.total) * 100) <= total) return id
    await cancel(investorId, id)
    throw new Error('the price has changed')
  }

  async function cancel(investorId, id) {
    return call('POST', `/v1/investors/${investorId}/share-purchases/${id}/cancel`)
  }

  /** An order that is placed meanwhile moves others to the next page, so this counts each order once. */
  async function list(investorId, { size = 100, onPage = async () => {} } = {}) {
    const found = new Map()
    for (let page = 1, hasNext = true; hasNext; page += 1) {
      const path = `/v1/investors/${investorId}/share-purchases?size=${size}&page=${page}`
      const { items, has_next } = await call('GET', path)
      for (const item of items) found.set(item.share_purchase_id, item)
      hasNext = has_next
      await onPage(page)
    }
    return [...found.values()]
  }

  function isGenuine(header, raw) {
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? []
    if (!t || Math.abs(Date.now() / 1000 - t) > toleranceSeconds) return false
    const expected = createHmac('sha256', app.signingSecret).update(`${t}.`).update(raw).digest()
    return timingSafeEqual(expected, Buffer.from(v1, 'hex'))
  }

  /** A repeated or older event changes nothing, and an event of an unknown type is acknowledged. */
  function receive({ id, type, created_at: at, data }) {
    if (processed.has(id) || !type.startsWith('share_purchase.')) return
    processed.add(id)
    const known = orders.get(data.share_purchase_id)
    if (data.status && !(known?.at > at))
      orders.set(data.share_purchase_id, { status: data.status, at })
  }

  async function listen() {
    const server = createServer(async (request, response) => {
      const raw = Buffer.concat(await request.toArray())
      const isAccepted = isGenuine(request.headers['x-service-webhook-signature'], raw)
      if (isAccepted && !app.failing) receive(JSON.parse(raw))
      response.writeHead(app.failing ? 500 : isAccepted ? 204 : 401).end()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const close = () => server.closeAllConnections() ?? server.close()
    return { url: `http://127.0.0.1:${server.address().port}/hooks`, close }
  }

  const statusOf = (id) => orders.get(id)?.status
  const app = { signingSecret, processed, failing: false, getToken }
  return Object.assign(app, { call, quote, order, cancel, list, listen, statusOf })
}
