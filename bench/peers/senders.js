// Sends webhooks with a few lines of code, which sign events but record nothing. `node
// peers/senders.js ofetch|undici URL COUNT SECRET`.
import { createHmac, randomUUID } from 'node:crypto'
import { ofetch } from 'ofetch'
import { request } from 'undici'

const [way, url, count, secret] = process.argv.slice(2)
const connections = 16
let left = Number(count)

function makeEvent() {
  const data = { share_purchase_id: randomUUID(), status: 'submitted', share_count: 5 }
  const event = { id: randomUUID(), type: 'share_purchase.submitted', created_at: new Date(), data }
  const body = JSON.stringify(event)
  const at = Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
  const headers = {
    'content-type': 'application/json',
    'x-service-webhook-signature': `t=${at},v1=${signature}`,
  }
  return { method: 'POST', headers, body }
}

async function sendByUndici() {
  while (left-- > 0) {
    const { statusCode, body } = await request(url, makeEvent())
    await body.dump()
    if (statusCode !== 204) throw new Error(`${statusCode}`)
  }
}

console.log('sending')
if (way === 'ofetch') while (left-- > 0) await ofetch(url, makeEvent())
else await Promise.all(Array.from({ length: connections }, sendByUndici))
// The process stays alive, because its parent still reads its CPU time.
setInterval(() => {}, 1000)
