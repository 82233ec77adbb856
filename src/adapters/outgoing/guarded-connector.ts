import { isIP, type Socket } from 'node:net'
import { buildConnector } from 'undici'
import { abortable } from './deadline.ts'
import { ConnectError, type OutgoingFailure } from './outgoing-error.ts'
import { isNeverCalled, isPublicAddress, type ResolveHost } from './public-address.ts'

export interface AddressGuard {
  readonly allowPrivate: boolean
  readonly resolve: ResolveHost
  /** For finding the address, and again for connecting to it. */
  readonly connectTimeoutMs: number
}

export interface ConnectorOptions extends AddressGuard {
  /** Certificates to trust instead of the machine's. */
  readonly ca?: string | undefined
  /** Called with the address before it is dialled; `origin` as in URL. */
  readonly onDial?: ((origin: string, address: string) => void) | undefined
}

export interface ConnectorExtras {
  /** Also one that is not good, to look at it. Nothing may be sent over such a connection. */
  readonly takeAnyCertificate?: boolean
}

/**
 * Connects to addresses that it has checked itself. A name is resolved once, all its addresses are checked, and one of
 * them is dialled: a second look-up, which could answer differently, never happens. An address in the URL is checked
 * alike; a `lookup` hook would not even be asked about it.
 */
export function createGuardedConnector(
  guard: ConnectorOptions,
  { takeAnyCertificate = false }: ConnectorExtras = {},
): buildConnector.connector {
  const { connectTimeoutMs: timeout, ca, onDial } = guard
  const trust = { rejectUnauthorized: !takeAnyCertificate, ...(ca !== undefined && { ca }) }
  const connect = buildConnector({ timeout, ...trust })
  const dial: Dial = (target, address) => {
    onDial?.(`${target.protocol}//${target.host}`, address)
    return dialAddress(connect, target, address)
  }
  return (target, callback) => {
    checkedAddresses(target.hostname, guard)
      .then((addresses) => dialInTurn(dial, target, addresses))
      .then(
        (socket) => callback(null, socket),
        (error) => callback(error, null),
      )
  }
}

type Dial = (target: buildConnector.Options, address: string) => Promise<Socket>

/** All addresses of a host, none of which is refused. */
export async function checkedAddresses(
  hostname: string,
  guard: AddressGuard,
): Promise<readonly string[]> {
  const addresses = isIP(hostname) ? [hostname] : await resolveInTime(hostname, guard)
  if (addresses.length === 0) throw new ConnectError('dns', 'The name has no address.')
  refuse(addresses.find(isNeverCalled), 'The address is link-local, or one that is never called.')
  if (guard.allowPrivate) return addresses
  refuse(
    addresses.find((address) => !isPublicAddress(address)),
    'The address is not a public one.',
  )
  return addresses
}

function refuse(address: string | undefined, why: string): void {
  if (address !== undefined) throw new ConnectError('refused', why, { address })
}

async function resolveInTime(
  hostname: string,
  { resolve, connectTimeoutMs }: AddressGuard,
): Promise<readonly string[]> {
  const late = AbortSignal.timeout(connectTimeoutMs)
  try {
    return await abortable(late, resolve(hostname))
  } catch (cause) {
    throw late.aborted
      ? new ConnectError('timeout', 'The name was not resolved in time.', { cause })
      : new ConnectError('dns', 'The name could not be resolved.', { cause })
  }
}

/** An address that refuses leaves time for the next one; a silent one has used it up. */
async function dialInTurn(
  dial: Dial,
  target: buildConnector.Options,
  [address = '', ...others]: readonly string[],
): Promise<Socket> {
  try {
    return await dial(target, address)
  } catch (error) {
    const failure = dialFailure(target, error)
    if (failure === 'connect' && others.length > 0) return dialInTurn(dial, target, others)
    throw new ConnectError(failure, 'No connection could be made.', { address, cause: error })
  }
}

function dialAddress(
  connect: buildConnector.connector,
  { host: _, hostname, ...target }: buildConnector.Options,
  address: string,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    // The certificate has to be for the name that was asked for, not for the address that is dialled.
    const servername = isIP(hostname) ? '' : hostname
    connect({ ...target, hostname: address, servername }, (error, socket) => {
      if (error) reject(error)
      else resolve(socket)
    })
  })
}

function dialFailure({ protocol }: buildConnector.Options, error: unknown): OutgoingFailure {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'timeout'
  return protocol === 'https:' && syscall !== 'connect' ? 'tls' : 'connect'
}
