import { networkInterfaces } from 'node:os'
import { connect, type TLSSocket } from 'node:tls'
import { toTimestamp } from '../../domain/timestamp.ts'
import type { DeliveryFailure, SendOutcome } from '../../domain/webhooks/delivery.ts'
import { webhookPortError } from '../../domain/webhooks/webhook-endpoint.ts'
import { hostnameOf, serverNameOf } from '../../machine/host-names.ts'
import {
  type AddressInspection,
  type CertificateInspection,
  LocalFault,
  type WebhookRequest,
  type WebhookSender,
} from '../../ports/webhook-sender.ts'
import { certificateFault } from '../outgoing/certificate-fault.ts'
import { asksForCertificate } from '../outgoing/client-certificate.ts'
import {
  checkedAddresses,
  connectGuarded,
  createGuard,
  type Guard,
  type GuardOptions,
} from '../outgoing/guarded-agent.ts'
import { createGuardedPost, type GuardedPost, type PostAnswer } from '../outgoing/guarded-fetch.ts'
import { isTlsAlert, OutgoingError } from '../outgoing/outgoing-error.ts'
import { isPublicAddress } from '../outgoing/public-address.ts'

/** spec: Delivery and retries, connect timeout and read timeout. */
const specifiedTimeouts = { connectTimeoutMs: 5000, readTimeoutMs: 5000 }

export function createWebhookSender(options: GuardOptions = {}): WebhookSender {
  const guard = createGuard({ ...specifiedTimeouts, ...options })
  const post = createGuardedPost(guard)
  return {
    send: async (request) => {
      // The endpoint may have been registered under other settings.
      const portError = webhookPortError(request.url, guard.allowPrivate)
      return portError === undefined ? send(post, request) : refused(portError)
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
  const startedMs = performance.now()
  const { fault, ...came } = await post(request).then(describeAnswer, describeError)
  const outcome = { ...came, durationMs: Math.round(performance.now() - startedMs) }
  if (fault) throw new LocalFault(fault.message, { outcome, cause: fault })
  return outcome
}

interface Answered extends Omit<SendOutcome, 'durationMs'> {
  /** The fault, if this machine is at fault. */
  readonly fault?: OutgoingError
}

/** Only a 2xx is a success (spec: Delivery and retries). */
function describeAnswer({ status, address, firstByteMs }: PostAnswer): Answered {
  const answered = { status, address, firstByteMs: Math.round(firstByteMs) }
  if (status >= 200 && status < 300) return { ...answered, failure: null, detail: null }
  return status >= 300 && status < 400
    ? { ...answered, failure: 'redirect', detail: 'A redirect is not followed.' }
    : { ...answered, failure: 'status', detail: `The receiver answered ${status}.` }
}

function describeError(error: unknown): Answered {
  if (!(error instanceof OutgoingError)) throw error
  const { message, address, cause, asksForCertificate } = error
  const failure: DeliveryFailure =
    error.failure === 'refused'
      ? 'refused_address'
      : error.failure === 'answer'
        ? 'broken_answer'
        : error.failure
  // The system's code says what is wrong with a certificate. A DOMException has only a number.
  const { code } = (cause ?? {}) as { readonly code?: unknown }
  let detail = message
  if (typeof code === 'string') {
    const fault = tlsFaultOf(code, asksForCertificate)
    detail +=
      fault === undefined
        ? ` (${code})`
        : ` ${fault.charAt(0).toUpperCase()}${fault.slice(1)} (${code}).`
  }
  const answered = { status: null, failure, detail, address, firstByteMs: null }
  return isLocalFault(error) ? { ...answered, fault: error } : answered
}

/** A clause; undefined if the fault is not about TLS. */
function tlsFaultOf(code: string, asksForCertificate = false): string | undefined {
  const fault = certificateFault(code, 'the receiver')
  if (fault !== undefined) return `the certificate ${fault}`
  if (!isTlsAlert(code)) return asksForCertificate ? closedWithoutCertificate : undefined
  // Before TLS 1.3, a receiver that misses a certificate has no other word for it.
  const isAboutHandshake = /HANDSHAKE_FAILURE/.test(code)
  // The service has no certificate, so an alert about one means that the receiver wants one.
  const isAboutCertificate = /CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED/.test(code)
  if (isAboutCertificate || (isAboutHandshake && asksForCertificate)) return demandsCertificate
  return isAboutHandshake ? `${endedHandshake}: ${maybeCertificate}` : endedHandshake
}

const demandsCertificate =
  'the receiver demands a client certificate, and the service has none: it must verify the signature instead'
const closedWithoutCertificate =
  'the receiver asked for a client certificate, which the service does not have, and closed the connection'
const endedHandshake = 'the receiver ended the TLS handshake'
const maybeCertificate =
  'it shares no cipher with the service, or demands a client certificate, which the service does not have'

/** Codes for a lack of resources or a lost network on this machine, which say nothing about the receiver. */
const ownCodes = ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL', 'ENETDOWN']
/** Codes for a name server that failed. Without a network, even the one of this machine fails. */
const nameServerCodes = ['EAI_AGAIN', 'ESERVFAIL', 'EREFUSED']

function isLocalFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, address = '' } = error as NodeJS.ErrnoException & { readonly address?: string }
  const addresses = () => Object.values(networkInterfaces()).flat()
  const isOnNetwork = () => addresses().some((each) => each !== undefined && !each.internal)
  return (
    ownCodes.includes(code ?? '') ||
    // Many machines can never reach a receiver that has only IPv6.
    (code === 'ENETUNREACH' && !address.includes(':')) ||
    // If this machine is on a network, the fault lies with the receiver's name server.
    (nameServerCodes.includes(code ?? '') && !isOnNetwork()) ||
    isLocalFault(error.cause)
  )
}

/** Makes the same check as a connection, so that a wrong address is noticed at registration. */
async function findAddressFault(url: string, guard: Guard): Promise<string | undefined> {
  try {
    await checkedAddresses(hostnameOf(new URL(url)), guard)
    return undefined
  } catch (error) {
    return addressFaultOf(error, guard)
  }
}

function addressFaultOf(error: unknown, guard: Guard): string {
  if (!(error instanceof OutgoingError)) throw error
  // If private addresses are allowed, only addresses that are never called are refused.
  if (error.failure === 'refused' && guard.allowPrivate) return neverCalled
  return faults[error.failure] ?? error.message
}

const neverCalled =
  'its address is link-local, multicast, unspecified or for cloud metadata, and no setting allows those'
const faults: Readonly<Record<string, string>> = {
  refused: 'it must resolve to public addresses only',
  dns: 'its host name cannot be resolved',
  timeout: 'its host name was not resolved in time',
}

async function inspectAddresses(url: string, guard: Guard): Promise<AddressInspection> {
  const all = { ...guard, allowPrivate: true }
  try {
    const addresses = await checkedAddresses(hostnameOf(new URL(url)), all)
    const notPublic = addresses.filter((address) => !isPublicAddress(address))
    return { addresses, notPublic, fault: null }
  } catch (error) {
    return { addresses: [], notPublic: [], fault: addressFaultOf(error, all) }
  }
}

/** Also inspects an invalid certificate, whose issuer and end date show what to do. */
async function inspectCertificate(url: string, guard: Guard): Promise<CertificateInspection> {
  try {
    const socket = await connectTo(new URL(url), guard)
    const { issuer, valid_to } = socket.getPeerCertificate()
    const { authorizationError } = socket
    const code = codeOf(authorizationError)
    const fault = authorizationError
      ? `${tlsFaultOf(code) ?? 'the certificate is not valid'} (${code})`
      : null
    const inspection = {
      issuer: [issuer?.O ?? issuer?.CN ?? []].flat()[0] ?? null,
      validTo: valid_to ? toTimestamp(new Date(valid_to)) : null,
      asksForCertificate: asksForCertificate(socket),
      fault: fault ?? (await handshakeFaultOf(socket)),
    }
    socket.destroy()
    return inspection
  } catch (error) {
    const fault = describeTlsError(error, guard)
    return { issuer: null, validTo: null, asksForCertificate: false, fault }
  }
}

/** Connects as the sender does, so it reaches the address to which an event would go. */
async function connectTo(url: URL, { ca, ...guard }: Guard): Promise<TLSSocket> {
  const hostname = hostnameOf(url)
  const port = Number(url.port || 443)
  const servername = serverNameOf(hostname)
  const trust = { rejectUnauthorized: false, ...(ca !== undefined && { ca }) }
  const socket = await connectGuarded(hostname, { ...guard, ca }, (host) => ({
    socket: connect({ host, port, servername, ALPNProtocols: ['http/1.1'], ...trust }),
    isEncrypted: true,
  }))
  // The type does not show that the socket was made above.
  return socket as TLSSocket
}

/** A receiver that has no objection closes sooner. */
const objectionMs = 1000

/**
 * With TLS 1.3 the receiver judges the handshake when the connection is already open, for example because it demands a
 * client certificate. The end of our data makes a receiver without an objection close the connection.
 */
function handshakeFaultOf(socket: TLSSocket): Promise<string | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), objectionMs)
    const end = (error?: Error) => {
      clearTimeout(timer)
      const code = codeOf(error)
      resolve(isTlsAlert(code) ? `${tlsFaultOf(code)} (${code})` : null)
    }
    socket
      .on('error', end)
      .on('close', () => end())
      .resume()
      .end()
  })
}

function describeTlsError(error: unknown, guard: Guard): string {
  // No connection was attempted.
  if (!(error instanceof OutgoingError) || error.address === null || error.failure === 'refused') {
    return addressFaultOf(error, guard)
  }
  const { failure, address, cause, asksForCertificate } = error
  if (failure === 'timeout') return `there was no TLS at ${address} in time`
  const code = codeOf(cause)
  if (failure === 'connect') {
    return `no connection could be made (${code}): nothing listens there, or something in between refuses`
  }
  const fault = tlsFaultOf(code, asksForCertificate) ?? `there is no TLS at ${address}`
  return `${fault} (${code})`
}

/** OpenSSL's code is text, although the type says otherwise. */
function codeOf(error: unknown): string {
  const { code = 'unknown' } = (error ?? {}) as NodeJS.ErrnoException
  return typeof error === 'string' ? error : code
}
