import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import { isIP, isIPv4, type Socket } from 'node:net'
import { parseUrl } from '../../domain/text.ts'
import { hostnameOf, serverNameOf } from '../../machine/host-names.ts'
import { maximumAddresses, noConnection } from '../../ports/webhook-sender.ts'
import { asksForCertificate } from './client-certificate.ts'
import { OutgoingError, type OutgoingFailure } from './outgoing-error.ts'
import {
  distinctAddresses,
  isNeverCalled,
  isPublicAddress,
  type ResolveHost,
  resolveHost,
} from './public-address.ts'

/** How to call addresses that others have given us. */
export interface Guard {
  /** Also calls addresses that are not public, and http. */
  readonly allowPrivate: boolean
  readonly resolve: ResolveHost
  /** The time limit for a connection: for the name and all its addresses together. */
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

/** A socket that is being connected to an address. */
export interface Dialled {
  readonly socket: Socket
  readonly isEncrypted: boolean
}

/**
 * Connects only to addresses that it has checked. It resolves a name once, checks all its addresses and connects to one
 * of them. A second lookup, which could answer differently, never happens. Addresses in the URL are checked as well; a
 * `lookup` hook would not be called for them.
 */
export function connectGuarded(
  hostname: string,
  guard: Guard,
  dial: (address: string) => Dialled,
): Promise<Socket> {
  return inTime(guard.connectTimeoutMs, async (signal) => {
    const addresses = (await addressesInTime(hostname, guard, signal)).slice(0, maximumAddresses)
    const headStartMs = guard.connectTimeoutMs * headStart
    return connectToAny(addresses, {
      connect: async (one) => connect(dial(one), one, signal),
      headStartMs,
    })
  })
}

/** The signal ends with the time, or when the work is done, so that nothing goes on afterwards. */
async function inTime<Result>(
  limitMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const ended = new AbortController()
  const timer = setTimeout(() => ended.abort(), limitMs)
  try {
    return await work(ended.signal)
  } finally {
    clearTimeout(timer)
    ended.abort()
  }
}

/** Returns the addresses of a host, each once, in the sequence in which to try them. Refuses the host if any of them is not allowed. */
export function checkedAddresses(hostname: string, guard: Guard): Promise<readonly string[]> {
  return inTime(guard.connectTimeoutMs, (signal) => addressesInTime(hostname, guard, signal))
}

async function addressesInTime(
  hostname: string,
  { resolve, allowPrivate }: Guard,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found = isIP(hostname) ? [hostname] : await resolveInTime(resolve, hostname, signal)
  const considered = [...new Set(found)].slice(0, maximumConsidered)
  const addresses = alternate(distinctAddresses(considered))
  if (addresses.length === 0) throw new OutgoingError('dns', 'The name has no address.')
  refuse(
    addresses.find(isNeverCalled),
    'The address is link-local, or one that the service never calls.',
  )
  if (allowPrivate) return addresses
  refuse(
    addresses.find((address) => !isPublicAddress(address)),
    'The address is not public.',
  )
  return addresses
}

function refuse(address: string | undefined, why: string): void {
  if (address !== undefined) throw new OutgoingError('refused', why, { address })
}

function resolveInTime(
  resolve: ResolveHost,
  hostname: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const resolving = resolve(hostname, signal).catch((cause) => {
    throw new OutgoingError('dns', 'The name could not be resolved.', { cause })
  })
  const late = new Promise<never>((_, reject) => {
    const error = new OutgoingError('timeout', 'The name was not resolved in time.')
    signal.addEventListener('abort', () => reject(error), { once: true })
  })
  // If the name was resolved, nobody waits for the other promise.
  late.catch(() => {})
  return Promise.race([resolving, late])
}

/** The checks take time from all others, and an answer of a name server has room for thousands of addresses. */
const maximumConsidered = 64

/** IPv4 and IPv6 alternate (RFC 8305 4), because a machine may reach only one of them. */
function alternate(addresses: readonly string[]): readonly string[] {
  const [first = ''] = addresses
  const alike = addresses.filter((address) => isIPv4(address) === isIPv4(first))
  const others = addresses.filter((address) => isIPv4(address) !== isIPv4(first))
  const pairs = alike.flatMap((address, index) => [address, ...others.slice(index, index + 1)])
  return [...pairs, ...others.slice(alike.length)]
}

/** The part of the time after which an address that has not answered gets company. */
const headStart = 1 / 5

/**
 * Tries the addresses one after the other and takes the first connection. An address that refuses gives way to the next
 * one at once, and an address that is silent after its head start. A fault of TLS is an answer, so it ends the attempt.
 */
function connectToAny(
  addresses: readonly string[],
  {
    connect,
    headStartMs,
  }: { readonly connect: (address: string) => Promise<Socket>; readonly headStartMs: number },
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const waiting = [...addresses]
    const failures: OutgoingError[] = []
    let isOver = false
    let timer: NodeJS.Timeout | undefined
    const end = (settle: () => void) => {
      clearTimeout(timer)
      isOver = true
      settle()
    }
    const tryNext = () => {
      clearTimeout(timer)
      const address = waiting.shift()
      if (address === undefined || isOver) return
      connect(address).then(
        (socket) => (isOver ? socket.destroy() : end(() => resolve(socket))),
        (error: OutgoingError) => {
          failures.push(error)
          if (error.failure !== 'connect') end(() => reject(error))
          else if (failures.length === addresses.length) end(() => reject(mostTelling(failures)))
          else tryNext()
        },
      )
      if (waiting.length > 0) timer = setTimeout(tryNext, headStartMs)
    }
    tryNext()
  })
}

/** A refusal says more than a missing route, which many machines have for IPv6. */
function mostTelling(failures: readonly OutgoingError[]): OutgoingError | undefined {
  const isRefusal = ({ cause }: OutgoingError) =>
    (cause as NodeJS.ErrnoException).code !== 'ENETUNREACH'
  const isAboutIPv4 = ({ address }: OutgoingError) => isIPv4(address ?? '')
  return failures.find(isRefusal) ?? failures.find(isAboutIPv4) ?? failures[0]
}

async function connect(
  { socket, isEncrypted }: Dialled,
  address: string,
  signal: AbortSignal,
): Promise<Socket> {
  // A socket that was given up may still fail, and then nobody else listens.
  socket.on('error', () => {})
  let wasAsked = false
  // After the end of the data, nothing is known of the handshake any longer.
  socket.prependOnceListener('end', () => {
    wasAsked = asksForCertificate(socket)
  })
  try {
    await once(socket, isEncrypted ? 'secureConnect' : 'connect', { signal })
    return socket
  } catch (error) {
    const more = { address, asksForCertificate: wasAsked || asksForCertificate(socket) }
    socket.destroy()
    const failure = signal.aborted ? 'timeout' : failureOf(error, isEncrypted)
    // The system gives up with the same code, but later.
    const cause = signal.aborted
      ? Object.assign(new Error('The address did not answer in time.'), { code: 'ETIMEDOUT' })
      : error
    throw new OutgoingError(failure, noConnection, { ...more, cause })
  }
}

function failureOf(error: unknown, isEncrypted: boolean): OutgoingFailure {
  return isEncrypted && (error as NodeJS.ErrnoException).syscall !== 'connect' ? 'tls' : 'connect'
}

/** Connections to addresses that others have given us, and the guard that checks them. */
export interface GuardedAgent extends Guard {
  readonly request: (url: URL, options: GuardedRequestOptions) => http.ClientRequest
}

interface GuardedRequestOptions extends http.RequestOptions {
  /** Uses no connection of an earlier request. */
  readonly isAlone: boolean
}

/** An unused connection is closed after this time. A receiver may announce a shorter one. */
const idleMs = 4000

/**
 * Makes requests with `node:http`. Other clients close the connection at a `100 Continue` for which they did not ask,
 * and refuse answers that this parser can be asked to accept.
 */
export function createGuardedAgent(options: GuardOptions): GuardedAgent {
  const guard = createGuard(options)
  const { ca } = guard
  const trust = { rejectUnauthorized: true, ...(ca !== undefined && { ca }) }
  const agentsOf = (keeping: http.AgentOptions) => ({
    plain: guarded(new http.Agent(keeping), guard),
    encrypted: guarded(new https.Agent({ ...keeping, ...trust }), guard),
  })
  const keeping = agentsOf({ keepAlive: true, timeout: idleMs })
  const closing = agentsOf({ keepAlive: false })
  return {
    ...guard,
    request: (url, { isAlone, ...options }) => {
      const hostname = hostnameOf(url)
      const { protocol, port, pathname, search } = url
      const target = { hostname, port, path: pathname + search, servername: serverNameOf(hostname) }
      const { plain, encrypted } = isAlone ? closing : keeping
      return protocol === 'https:'
        ? https.request({ ...options, ...target, agent: encrypted })
        : http.request({ ...options, ...target, agent: plain })
    },
  }
}

function guarded<Agent extends http.Agent>(agent: Agent, guard: Guard): Agent {
  const isEncrypted = agent instanceof https.Agent
  const openSocket = agent.createConnection.bind(agent)
  agent.createConnection = (options, callback) => {
    connectGuarded(options.host ?? '', guard, (address) => {
      // Such a socket is one of node:net, and exists before it is connected.
      const socket = openSocket({ ...options, host: address }) as Socket
      return { socket, isEncrypted }
    }).then(
      (socket) => callback?.(null, socket),
      (error) => callback?.(error, undefined as never),
    )
    return undefined
  }
  return agent
}

export function urlOf(text: string): URL {
  const url = parseUrl(text)
  if (!url) throw new OutgoingError('refused', 'The address is not valid.')
  return url
}
