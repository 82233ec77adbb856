import { networkInterfaces } from 'node:os'
import type { DeliveryFailure, SendOutcome } from '../../domain/webhooks/delivery.ts'
import { webhookPortError } from '../../domain/webhooks/webhook-endpoint.ts'
import { LocalFault, type WebhookRequest, type WebhookSender } from '../../ports/webhook-sender.ts'
import type { GuardedAgentOptions } from '../outgoing/guarded-agent.ts'
import type { Trace } from '../outgoing/guarded-fetch.ts'
import { createGuardedPost, type GuardedPost } from '../outgoing/guarded-post.ts'
import { OutgoingError } from '../outgoing/outgoing-error.ts'
import { findAddressFault, inspectAddresses, inspectCertificate } from './inspect-endpoint.ts'

/** spec: Delivery and retries, connect timeout and read timeout. */
const specifiedTimeouts = { connectTimeoutMs: 5000, readTimeoutMs: 5000 }

export type WebhookSenderOptions = GuardedAgentOptions

export function createWebhookSender(options: WebhookSenderOptions = {}): WebhookSender {
  const guard = { ...specifiedTimeouts, ...options }
  const post = createGuardedPost(guard)
  return {
    send: async (request) => {
      // The endpoint may have been registered under other settings or by an earlier release.
      const fault = webhookPortError(request.url, guard.allowPrivate ?? false)
      return fault === undefined ? send(post, request) : refused(fault)
    },
    findAddressError: (url) => findAddressFault(url, guard),
    inspectAddresses: (url) => inspectAddresses(url, guard),
    inspectCertificate: (url) => inspectCertificate(url, guard),
  }
}

function refused(fault: string): SendOutcome {
  const nothing = { address: null, status: null, firstByteMs: null, durationMs: 0 }
  return { ...nothing, failure: 'refused_address', detail: `The URL is not allowed: ${fault}.` }
}

async function send(post: GuardedPost, request: WebhookRequest): Promise<SendOutcome> {
  const trace: Trace = { address: null, status: null, firstByteMs: null }
  const startedMs = performance.now()
  const answered = await post(request, trace).then(describeStatus, describeError)
  const { fault, ...came } = answered
  const outcome = {
    ...came,
    address: trace.address,
    firstByteMs: trace.firstByteMs === null ? null : Math.round(trace.firstByteMs),
    durationMs: Math.round(performance.now() - startedMs),
  }
  if (fault) throw new LocalFault(fault.message, { outcome, cause: fault })
  return outcome
}

interface Answered extends Pick<SendOutcome, 'status' | 'failure' | 'detail'> {
  /** The fault, if it is on this machine. */
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

function describeError(error: unknown): Answered {
  if (!(error instanceof OutgoingError)) throw error
  const answered = { status: null, failure: failureOf(error), detail: detailOf(error) }
  return isOwnFault(error) ? { ...answered, fault: error } : answered
}

/** With the system's code, which distinguishes an expired certificate from a wrong one. A DOMException has a number, which says nothing. */
function detailOf({ message, cause }: OutgoingError): string {
  const { code } = (cause ?? {}) as { readonly code?: unknown }
  return typeof code !== 'string' ? message : `${message} (${code})`
}

function failureOf({ failure }: OutgoingError): DeliveryFailure {
  if (failure === 'refused') return 'refused_address'
  return failure === 'answer' ? 'broken_answer' : failure
}

/** Codes for a lack of resources or a lost network on this machine. They say nothing about the receiver. */
const ownCodes = ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL', 'ENETDOWN']

function isOwnFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, address = '' } = error as NodeJS.ErrnoException & { readonly address?: string }
  return (
    ownCodes.includes(code ?? '') ||
    // Many machines can never reach a receiver that has only IPv6.
    (code === 'ENETUNREACH' && !address.includes(':')) ||
    // If this machine is on a network, the receiver's name server does not answer.
    (code === 'EAI_AGAIN' && !isOnNetwork()) ||
    isOwnFault(error.cause)
  )
}

function isOnNetwork(): boolean {
  const addresses = Object.values(networkInterfaces()).flat()
  return addresses.some((address) => address !== undefined && !address.internal)
}
