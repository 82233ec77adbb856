import { isIP, type Socket } from 'node:net'
import { LRUCache } from 'lru-cache'
import { Agent, buildConnector } from 'undici'
import { parseUrl } from '../../domain/text.ts'
import { noConnection } from '../../ports/webhook-sender.ts'
import { OutgoingError, type OutgoingFailure } from './outgoing-error.ts'
import { isNeverCalled, isPublicAddress, type ResolveHost, resolveHost } from './public-address.ts'

/** How to call addresses that others have given us. */
export interface Guard {
  /** Also calls addresses that are not public, and http. */
  readonly allowPrivate: boolean
  readonly resolve: ResolveHost
  /** The time limit for resolving the name. The same limit applies to connecting. */
  readonly connectTimeoutMs: number
  /** The time limit for the answer after connecting. */
  readonly readTimeoutMs: number
  /** Certificates to trust instead of those of the machine. */
  readonly ca: string | undefined
}

export type GuardOptions = Partial<Guard>

export function createGuard(options: GuardOptions): Guard {
  const limits = { connectTimeoutMs: 5000, readTimeoutMs: 5000 }
  return { allowPrivate: false, resolve: resolveHost, ca: undefined, ...limits, ...options }
}

interface ConnectorExtras {
  /** Accepts invalid certificates in order to inspect them. Send nothing over such a connection. */
  readonly acceptAnyCertificate?: boolean
  /** Called with each address before the connection is made. `origin` is that of a URL. */
  readonly onDial?: (origin: string, address: string) => void
}

/**
 * Connects only to addresses that it has checked. It resolves a name once, checks all its addresses and connects to one
 * of them. A second lookup, which could answer differently, never happens. Addresses in the URL are checked as well; a
 * `lookup` hook would not be called for them.
 */
export function createGuardedConnector(
  guard: Guard,
  { acceptAnyCertificate = false, onDial }: ConnectorExtras,
): buildConnector.connector {
  const { connectTimeoutMs: timeout, ca } = guard
  const trust = { rejectUnauthorized: !acceptAnyCertificate, ...(ca !== undefined && { ca }) }
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

/** Resolves a host and returns its addresses. Refuses the host if any of them is not allowed. */
export async function checkedAddresses(hostname: string, guard: Guard): Promise<readonly string[]> {
  const addresses = isIP(hostname) ? [hostname] : await resolveInTime(hostname, guard)
  if (addresses.length === 0) throw new OutgoingError('dns', 'The name has no address.')
  refuse(
    addresses.find(isNeverCalled),
    'The address is link-local, or one that the service never calls.',
  )
  if (guard.allowPrivate) return addresses
  refuse(
    addresses.find((address) => !isPublicAddress(address)),
    'The address is not public.',
  )
  return addresses
}

function refuse(address: string | undefined, why: string): void {
  if (address !== undefined) throw new OutgoingError('refused', why, { address })
}

async function resolveInTime(
  hostname: string,
  { resolve, connectTimeoutMs }: Guard,
): Promise<readonly string[]> {
  const resolving = resolve(hostname).catch((cause) => {
    throw new OutgoingError('dns', 'The name could not be resolved.', { cause })
  })
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new OutgoingError('timeout', 'The name was not resolved in time.')
    timer = setTimeout(() => reject(error), connectTimeoutMs)
  })
  try {
    return await Promise.race([resolving, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Tries the next address only after a refused connection: an address that does not answer uses up the time. */
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
    throw new OutgoingError(failure, noConnection, { address, cause: error })
  }
}

function dialAddress(
  connect: buildConnector.connector,
  { host: _, hostname, ...target }: buildConnector.Options,
  address: string,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    // The certificate must be valid for the host name, not for the address.
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

/** Connections to addresses that others have given us, and what we know about them. */
export interface GuardedAgent extends Guard {
  readonly dispatcher: Agent
  /** The address that was dialled last, by origin. */
  readonly addresses: LRUCache<string, string>
}

const rememberedAddresses = 1000

export function createGuardedAgent(options: GuardOptions): GuardedAgent {
  const guard = createGuard(options)
  const addresses = new LRUCache<string, string>({ max: rememberedAddresses })
  const onDial = (origin: string, address: string) => addresses.set(origin, address)
  const dispatcher = new Agent({
    connect: createGuardedConnector(guard, { onDial }),
    // undici checks its timers every half second, so the read timeout has our own timer.
    headersTimeout: 0,
    bodyTimeout: guard.readTimeoutMs,
  })
  return { dispatcher, addresses, ...guard }
}

export function urlOf(text: string): URL {
  const url = parseUrl(text)
  if (!url) throw new OutgoingError('refused', 'The address is not valid.')
  return url
}
