import type { TLSSocket } from 'node:tls'
import { toTimestamp } from '../../domain/timestamp.ts'
import type { AddressInspection, CertificateInspection } from '../../ports/webhook-sender.ts'
import {
  type AddressGuard,
  type ConnectorOptions,
  checkedAddresses,
  createGuardedConnector,
} from '../outgoing/guarded-connector.ts'
import { ConnectError } from '../outgoing/outgoing-error.ts'
import { isPublicAddress, resolveHost } from '../outgoing/public-address.ts'

/** Makes the same check as when connecting, so that a wrong address is noticed at registration. */
export async function findAddressFault(
  url: string,
  guard: Partial<AddressGuard>,
): Promise<string | undefined> {
  const checking = createAddressGuard(guard)
  try {
    await checkedAddresses(hostnameOf(url), checking)
    return undefined
  } catch (error) {
    return addressFaultOf(error, checking)
  }
}

function addressFaultOf(error: unknown, guard: Pick<AddressGuard, 'allowPrivate'>): string {
  if (!(error instanceof ConnectError)) throw error
  // If private addresses are allowed, only addresses that are never called are refused.
  if (error.failure === 'refused' && guard.allowPrivate) return neverCalled
  return faults[error.failure] ?? error.message
}

const neverCalled =
  'its address is link-local, multicast, unspecified or for cloud metadata, and no setting opens those'
const faults: Readonly<Record<string, string>> = {
  refused: 'it does not resolve to public addresses only',
  dns: 'its host name cannot be resolved',
  timeout: 'its host name was not resolved in time',
}

export async function inspectAddresses(
  url: string,
  guard: Partial<AddressGuard>,
): Promise<AddressInspection> {
  const all = createAddressGuard({ ...guard, allowPrivate: true })
  try {
    const addresses = await checkedAddresses(hostnameOf(url), all)
    const notPublic = addresses.filter((address) => !isPublicAddress(address))
    return { addresses, notPublic, fault: null }
  } catch (error) {
    return { addresses: [], notPublic: [], fault: addressFaultOf(error, all) }
  }
}

/** Also inspects an invalid certificate, whose issuer and end date show what to do. */
export async function inspectCertificate(
  url: string,
  options: Partial<ConnectorOptions>,
): Promise<CertificateInspection> {
  const guard = createAddressGuard(options)
  try {
    const socket = await connectTo(url, { ...guard, ca: options.ca })
    const inspection = describe(socket)
    socket.destroy()
    return inspection
  } catch (error) {
    return { issuer: null, validTo: null, fault: describeError(error, guard) }
  }
}

/** Uses the connector of the sender, so it reaches the address to which an event would go. */
function connectTo(url: string, options: ConnectorOptions): Promise<TLSSocket> {
  const connect = createGuardedConnector(options, { acceptAnyCertificate: true })
  const { protocol, host, port } = new URL(url)
  return new Promise((resolve, reject) => {
    connect({ hostname: hostnameOf(url), protocol, host, port }, (error, socket) => {
      if (error) reject(error)
      // The URL is https, but the type does not show that.
      else resolve(socket as TLSSocket)
    })
  })
}

function describe(socket: TLSSocket): CertificateInspection {
  const { issuer, valid_to } = socket.getPeerCertificate()
  const { authorizationError } = socket
  return {
    issuer: [issuer?.O ?? issuer?.CN ?? []].flat()[0] ?? null,
    validTo: valid_to ? toTimestamp(new Date(valid_to)) : null,
    fault: authorizationError
      ? `the certificate is not good (${codeOf(authorizationError)})`
      : null,
  }
}

function describeError(error: unknown, guard: AddressGuard): string {
  // No connection was attempted.
  if (!(error instanceof ConnectError) || error.address === null || error.failure === 'refused') {
    return addressFaultOf(error, guard)
  }
  const { failure, address, cause } = error
  const code = (cause as NodeJS.ErrnoException).code
  if (failure === 'connect') {
    return `no connection could be made (${code}): nobody listens there, or something in between refuses`
  }
  if (failure === 'timeout') return `there was no TLS at ${address} in time`
  return `there is no TLS at ${address}${code === undefined ? '' : ` (${code})`}`
}

/** OpenSSL's code is text, although the type says otherwise. */
function codeOf(error: unknown): string {
  return typeof error === 'string' ? error : ((error as NodeJS.ErrnoException).code ?? 'unknown')
}

function createAddressGuard({
  allowPrivate = false,
  resolve = resolveHost,
  connectTimeoutMs = 5000,
}: Partial<AddressGuard>): AddressGuard {
  return { allowPrivate, resolve, connectTimeoutMs }
}

/** IPv6 without brackets, which only a URL needs. */
function hostnameOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '')
}
