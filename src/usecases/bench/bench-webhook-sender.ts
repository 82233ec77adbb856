import { deliveryOperation, type Fault } from '../../domain/bench/fault.ts'
import type { SendOutcome } from '../../domain/webhooks/delivery.ts'
import { pause } from '../../machine/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { WebhookRequest, WebhookSender } from '../../ports/webhook-sender.ts'
import type { Faults } from './bench.ts'
import type { Journal } from './journal.ts'

export interface BenchSenderParts {
  readonly faults: Faults
  readonly journal: Journal
  readonly clock: Clock
}

/** Sends like `sender` except for requested faults, and records each delivery. */
export function createBenchSender(sender: WebhookSender, parts: BenchSenderParts): WebhookSender {
  const { faults, journal, clock } = parts
  return {
    ...sender,
    async send(request) {
      const { webhookEndpointId } = request.endpoint ?? {}
      const fault = faults.take({ operation: deliveryOperation, webhookEndpointId })
      const at = clock.now()
      const startedMs = clock.stopwatchMs()
      const outcome = await sendWithFault(sender, request, fault)
      journal.record({
        at,
        direction: 'delivery',
        operation: deliveryOperation,
        method: 'POST',
        path: request.url,
        request: {
          headers: lowerCased(request.headers),
          body: Buffer.from(request.body).toString(),
          isCutOff: false,
        },
        status: outcome.status,
        response: { headers: {}, body: '', isCutOff: false },
        code: outcome.failure,
        clientId: null,
        organizationId: request.endpoint?.organizationId ?? null,
        requestId: null,
        webhookEndpointId: webhookEndpointId ?? null,
        durationMs: Math.round(clock.stopwatchMs() - startedMs),
        faultId: fault?.faultId ?? null,
      })
      return outcome
    },
  }
}

async function sendWithFault(
  sender: WebhookSender,
  request: WebhookRequest,
  fault: Fault | undefined,
): Promise<SendOutcome> {
  const { delayMs = null, status = null, reset = null } = fault ?? {}
  if (delayMs !== null) await pause(delayMs, request.signal)
  if (status !== null) return answered(status)
  if (reset === 'before') return { ...nothing, failure: 'connect', detail: cutBefore }
  const outcome = await sender.send(request)
  return reset === null
    ? outcome
    : { ...outcome, status: null, failure: 'broken_answer', detail: cutAfter }
}

const nothing = { address: null, status: null, firstByteMs: null, durationMs: 0 }
const cutBefore = 'A bench fault cut the connection before the event was sent.'
const cutAfter = 'A bench fault cut the connection before the answer arrived.'

function answered(status: number): SendOutcome {
  const isSuccess = status >= 200 && status < 300
  return {
    ...nothing,
    status,
    failure: isSuccess ? null : 'status',
    detail: isSuccess ? null : `A bench fault answered ${status}.`,
  }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
}
