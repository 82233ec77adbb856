import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import { timestampOf } from '../../domain/timestamp.ts'
import type { CertificateInspection } from '../../ports/webhook-sender.ts'
import { type ConnectorOptions, checkedAddresses } from '../outgoing/guarded-connector.ts'
import { createAddressGuard, hostnameOf } from './address-guard.ts'
import { addressFaultOf } from './find-address-fault.ts'

/** Also of a certificate that is not good: what it says tells what to do about it. */
export async function inspectCertificate(
  url: string,
  options: Partial<ConnectorOptions>,
): Promise<CertificateInspection> {
  const guard = createAddressGuard(options)
  try {
    const addresses = await checkedAddresses(hostnameOf(url), guard)
    return await inspectFirst(addresses, { url, ca: options.ca, timeoutMs: guard.connectTimeoutMs })
  } catch (error) {
    return unseen(addressFaultOf(error))
  }
}

interface Handshake {
  readonly url: string
  readonly ca: string | undefined
  readonly timeoutMs: number
}

/** An address that refuses leaves it to the next one, as when something is sent. */
async function inspectFirst(
  [address = '', ...others]: readonly string[],
  handshake: Handshake,
): Promise<CertificateInspection> {
  const socket = startHandshake(address, handshake)
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(handshake.timeoutMs) })
    return describe(socket)
  } catch (error) {
    if (others.length > 0) return inspectFirst(others, handshake)
    return unseen(describeError(error))
  } finally {
    socket.destroy()
  }
}

function startHandshake(address: string, { url, ca }: Handshake): TLSSocket {
  const hostname = hostnameOf(url)
  const socket = connect({
    host: address,
    port: Number(new URL(url).port || 443),
    // RFC 6066 3: an address is no server name. The certificate is still compared with what the URL says.
    ...(isIP(hostname) ? {} : { servername: hostname }),
    ...(ca !== undefined && { ca }),
    rejectUnauthorized: false,
  })
  // One that comes after the end would have nobody to go to.
  return socket.on('error', () => {})
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

function unseen(fault: string): CertificateInspection {
  return { issuer: null, validTo: null, fault }
}

function describeError(error: unknown): string {
  const { name, code, syscall } = error as NodeJS.ErrnoException
  if (syscall === 'connect') {
    return `no connection could be made (${code}): nobody listens there, or something in between refuses`
  }
  if (name === 'AbortError') return 'there was no TLS connection in time'
  return code === undefined ? 'there is no TLS' : `there is no TLS (${code})`
}

/** Typed as an error; with it, OpenSSL's code comes as text. */
function codeOf(error: unknown): string {
  return typeof error === 'string' ? error : ((error as NodeJS.ErrnoException).code ?? 'unknown')
}
