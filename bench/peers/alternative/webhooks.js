// Signs and sends webhooks.
import { createHmac, randomUUID } from 'node:crypto'
import { Agent, request } from 'undici'

const timeoutMs = 5000
export const attempts = 6
const firstRetrySeconds = 30
/** The number of webhooks that a process sends at the same time. */
export const atOnce = 16

const dispatcher = new Agent({
  connections: atOnce,
  connect: { timeout: timeoutMs },
  headersTimeout: timeoutMs,
  bodyTimeout: timeoutMs,
})

/** Sends once. @returns why the attempt failed, or null */
export async function sendWebhook({ url, signing_secret, type, body }) {
  const t = Math.floor(Date.now() / 1000)
  const v1 = createHmac('sha256', signing_secret).update(`${t}.${body}`).digest('hex')
  const headers = {
    'content-type': 'application/json',
    'x-service-webhook-signature': `t=${t},v1=${v1}`,
    'x-service-webhook-id': randomUUID(),
    'x-service-webhook-event': type,
  }
  try {
    const answer = await request(url, { dispatcher, method: 'POST', headers, body })
    await answer.body.dump()
    const isDelivered = answer.statusCode >= 200 && answer.statusCode < 300
    return isDelivered ? null : `status ${answer.statusCode}`
  } catch (error) {
    return error.message
  }
}

export function secondsUntilRetry(attemptsSoFar) {
  return firstRetrySeconds * 2 ** (attemptsSoFar - 1)
}
