import type { TLSSocket } from 'node:tls'
import { timestampOf } from '../../domain/timestamp.ts'
import type { CertificateInspection } from '../../ports/webhook-sender.ts'
import {
  type AddressGuard,
  type ConnectorOptions,
  createGuardedConnector,
} from '../outgoing/guarded-connector.ts'
import { ConnectError } from '../outgoing/outgoing-error.ts'
import { createAddressGuard, hostnameOf } from './address-guard.ts'
import { addressFaultOf } from './find-address-fault.ts'

/** Also of a certificate that is not good: what it says tells what to do about it. */
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

/** Through the connector of those who send, so that it is the address to which an event would go. */
function connectTo(url: string, options: ConnectorOptions): Promise<TLSSocket> {
  const connect = createGuardedConnector(options, { takeAnyCertificate: true })
  const { protocol, host, port } = new URL(url)
  return new Promise((resolve, reject) => {
    connect({ hostname: hostnameOf(url), protocol, host, port }, (error, socket) => {
      if (error) reject(error)
      // It is one for https, which the type does not say.
      else resolve(socket as TLSSocket)
    })
  })
}

function describe(socket: TLSSocket): CertificateInspection {
  const { issuer, valid_to } = socket.getPeerCertificate()
  const { authorizationError } = socket
  return {
    issuer: [issuer?.O ?? issuer?.CN ?? []].flat()[0] ?? null,
    validTo: valid_to ? timestampOf(new Date(valid_to)) : null,
    fault: authorizationError
      ? `the certificate is not good (${codeOf(authorizationError)})`
      : null,
  }
}

function describeError(error: unknown, guard: AddressGuard): string {
  // It did not come to dialling.
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

/** Typed as an error; with it, OpenSSL's code comes as text. */
function codeOf(error: unknown): string {
  return typeof error === 'string' ? error : ((error as NodeJS.ErrnoException).code ?? 'unknown')
}
