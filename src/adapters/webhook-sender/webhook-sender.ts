import type { $Fetch, FetchOptions } from 'ofetch'
import type { DeliveryFailure, SendOutcome } from '../../domain/webhooks/delivery.ts'
import { webhookPortFault } from '../../domain/webhooks/webhook-url.ts'
import { OwnFault, type WebhookRequest, type WebhookSender } from '../../ports/webhook-sender.ts'
import {
  createGuardedFetch,
  type GuardedFetchOptions,
  type Trace,
} from '../outgoing/guarded-fetch.ts'
import { findOutgoingError, type OutgoingError } from '../outgoing/outgoing-error.ts'
import { findAddressFault } from './find-address-fault.ts'
import { inspectAddresses } from './inspect-addresses.ts'
import { inspectCertificate } from './inspect-certificate.ts'
import { isOwnFault } from './is-own-fault.ts'

/** spec: Delivery and retries, connect timeout and read timeout. */
const specifiedTimeouts = { connectTimeoutMs: 5000, readTimeoutMs: 5000 }

/** Nobody looks at what a receiver answers beside its status. */
const maximumBodyBytes = 16 * 1024

export type WebhookSenderOptions = Omit<GuardedFetchOptions, 'dropsBody' | 'maximumBodyBytes'>

export function createWebhookSender(options: WebhookSenderOptions = {}): WebhookSender {
  const guard = { ...specifiedTimeouts, ...options }
  const fetch = createGuardedFetch({ ...guard, maximumBodyBytes, dropsBody: true })
  return {
    send: async (request) => {
      // An endpoint may have been registered before this was refused, or when private ones were allowed.
      const fault = webhookPortFault(request.url, guard.allowPrivate ?? false)
      return fault === undefined ? send(fetch, request) : refused(fault)
    },
    findAddressFault: (url) => findAddressFault(url, guard),
    inspectAddresses: (url) => inspectAddresses(url, guard),
    inspectCertificate: (url) => inspectCertificate(url, guard),
  }
}

function refused(fault: string): SendOutcome {
  const nothing = { address: null, status: null, firstByteMs: null, durationMs: 0 }
  return { ...nothing, failure: 'refused_address', detail: `The URL is not allowed: ${fault}.` }
}

type TracedOptions = FetchOptions<'text'> & { readonly trace: Trace }

async function send(fetch: $Fetch, request: WebhookRequest): Promise<SendOutcome> {
  const { url, headers, body, signal } = request
  const trace: Trace = { address: null, status: null, firstByteMs: null }
  const options: TracedOptions = {
    method: 'POST',
    headers: { ...headers },
    body,
    responseType: 'text',
    ignoreResponseError: true,
    trace,
    ...(signal && { signal }),
  }
  const startedMs = performance.now()
  const answered = await fetch.raw(url, options).then(
    ({ status }) => describeStatus(status),
    (error) => describeError(requireOutgoing(error), trace),
  )
  const { fault, ...came } = answered
  const outcome = {
    ...came,
    address: trace.address,
    firstByteMs: trace.firstByteMs === null ? null : Math.round(trace.firstByteMs),
    durationMs: Math.round(performance.now() - startedMs),
  }
  if (fault) throw new OwnFault(fault.message, { outcome, cause: fault })
  return outcome
}

interface Answered extends Pick<SendOutcome, 'status' | 'failure' | 'detail'> {
  /** Of this machine. */
  readonly fault?: OutgoingError
}

/** Only a 2xx is a success (spec: Delivery and retries). */
function describeStatus(status: number): Answered {
  if (status >= 200 && status < 300) return { status, failure: null, detail: null }
  const isRedirect = status >= 300 && status < 400
  return isRedirect
    ? { status, failure: 'redirect', detail: 'A redirect is not followed.' }
    : { status, failure: 'status', detail: `The receiver answered ${status}.` }
}

function describeError(error: OutgoingError, { status }: Trace): Answered {
  const answered = { status, failure: failureOf(error), detail: detailOf(error) }
  return isOwnFault(error) ? { ...answered, fault: error } : answered
}

/** What ofetch throws names the URL, which may hold a secret of the receiver's. */
function requireOutgoing(error: unknown): OutgoingError {
  const known = findOutgoingError(error)
  if (known) return known
  throw error instanceof Error && error.cause ? error.cause : error
}

/** With the system's code, which tells an expired certificate from a wrong one. That of a DOMException is a number and tells nothing. */
function detailOf({ message, cause }: OutgoingError): string {
  const { code } = (cause ?? {}) as { readonly code?: unknown }
  return typeof code !== 'string' ? message : `${message} (${code})`
}

function failureOf({ failure }: OutgoingError): DeliveryFailure {
  if (failure === 'refused') return 'refused_address'
  return failure === 'answer' ? 'broken_answer' : failure
}
