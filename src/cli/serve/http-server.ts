import { once } from 'node:events'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer, type Socket } from 'node:net'
import type { H3 } from 'h3'
import { toNodeHandler } from 'h3/node'
import { type Listener, listen as listhen } from 'listhen'
import type { HttpsFiles } from '../../config.ts'
import type { ProtocolErrorResponses } from '../../http/protocol-errors.ts'
import { commandError } from '../errors.ts'
import { dropWhatComes, LingeringConnections } from './lingering-connections.ts'

export interface Address {
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  /** `true` creates a certificate for this machine. */
  readonly https: boolean | HttpsFiles
  /** Time limit for receiving a whole request. */
  readonly requestTimeoutMs: number
  /** A client that reads nothing of its answer for this long is cut off, because the answer takes memory. */
  readonly unreadTimeoutMs: number
  /** Further connections are closed immediately. Default: only the limit of the process applies. */
  readonly maximumConnections?: number
  /** The names of the settings, for the error about an unavailable port or host. */
  readonly portSetting: string
  readonly hostSetting: string
}

export interface Listening {
  readonly port: number
  inFlight(): number
  /**
   * Requests before this call get 503. The app is created after the port is open, because it may need to know the
   * port.
   */
  answerWith(app: Pick<H3, 'fetch'>, refusals: ProtocolErrorResponses): void
  /** From now on each response closes its connection; new connections are still accepted. */
  endConnections(): void
  /** Accepts no more connections, and waits up to `patienceMs` for requests in flight. */
  close(patienceMs: number): Promise<void>
}

const certificateDays = 30
/** A client that needs longer for its headers only occupies a connection. */
const headersTimeoutMs = 10_000
const sweepMs = 500

export async function listen(address: Address): Promise<Listening> {
  const notYet: RequestListener = (_request, response) => response.writeHead(503).end()
  let [answer, refuse] = [notYet, notYet]
  const listener = await open(address, notYet)
  const { server } = listener
  // listhen adds its own handler, which crashes the process when a request ends in the middle of its
  // body, because the socket is gone by then.
  server.removeAllListeners('request')
  const answers = new PendingResponses()
  const begin: RequestListener = (request, response) => {
    const what = answers.begin(request, response)
    if (what === 'answer') answer(request, response)
    else if (what === 'refuse') refuse(request, response)
  }
  server.on('request', begin)
  const lingering = new LingeringConnections()
  server.on(address.https ? 'secureConnection' : 'connection', (socket) => lingering.watch(socket))
  const { maximumConnections: maxConnections } = address
  Object.assign(server, {
    // If Node required a Host, it would answer without a body and without X-Request-Id.
    requireHostHeader: false,
    headersTimeout: headersTimeoutMs,
    requestTimeout: address.requestTimeoutMs,
    timeout: address.unreadTimeoutMs,
    ...(maxConnections !== undefined && { maxConnections }),
  })
  // Nothing has moved on the connection for the time limit, or it was kept alive without a request for long enough.
  // Requests that arrive too slowly get 408 from Node, which may check for them later than this.
  server.on('timeout', (socket: Socket) => {
    if (!answers.mayStay(socket)) socket.destroy()
  })
  // An unknown expectation may be ignored (RFC 9110 10.1.1).
  server.on('checkExpectation', begin)
  return {
    port: listener.address.port,
    inFlight: () => answers.count,
    answerWith(app, { refuseUnreadable, refuseHost, refuseForNow }) {
      // Only `fetch` of the app is used.
      const work = toNodeHandler(app as H3) as RequestListener
      const workForCaller: RequestListener = (request, response) => {
        // The client may have hung up, or got its last answer, while its request waited.
        if (request.socket.writable) work(request, response)
      }
      refuse = refuseForNow
      const answerByApp = queueRequests(workForCaller, { refuse: refuseForNow })
      answer = (request, response) => {
        if (!refuseHost(request, response)) answerByApp(request, response)
      }
      server.on('clientError', refuseUnreadable)
    },
    endConnections: () => answers.end(),
    close: (patienceMs) => {
      answers.end()
      return close(listener, patienceMs, lingering)
    },
  }
}

async function open(address: Address, handle: RequestListener): Promise<Listener> {
  const listener = await listhen(handle, optionsOf(address)).catch(async (error: Error) => {
    if (error.name !== 'GetPortError') throw error
    throw unavailable(address, await reasonOf(address))
  })
  // listhen silently uses port 3000 instead of a port that browsers block.
  if (address.port === 0 || listener.address.port === address.port) return listener
  await close(listener, 0)
  throw unavailable(address, 'it is reserved for another protocol')
}

/** listhen would take unset options from PORT, HOST and the command line, so all are set. */
function optionsOf({ host: hostname, port, https }: Address) {
  const domains = ['localhost', '127.0.0.1', '::1', hostname]
  return {
    name: 'coopshare',
    hostname,
    port: { port, random: port === 0, verbose: false },
    https: https === true ? { domains, validityDays: certificateDays } : https,
    public: hostname === '0.0.0.0' || hostname === '::',
    baseURL: '/',
    isProd: true,
    isTest: false,
    autoClose: false,
    showURL: false,
    clipboard: false,
    open: false,
  }
}

async function close(
  { server }: Listener,
  patienceMs: number,
  lingering?: LingeringConnections,
): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  // A response that had already started could not announce the end of its connection.
  const sweep = setInterval(() => {
    server.closeIdleConnections()
    lingering?.endAll()
  }, sweepMs)
  const giveUp = setTimeout(() => server.closeAllConnections(), patienceMs)
  await closed
  clearInterval(sweep)
  clearTimeout(giveUp)
}

/** listhen does not report the reason, so a second attempt finds it. */
function reasonOf({ host, port }: Address): Promise<string> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', ({ code = '', message }: NodeJS.ErrnoException) => {
      resolve(reasons[code] ?? message)
    })
    probe.listen(port, host, () => probe.close(() => resolve('the port was in use')))
  })
}

const noAddress = 'this machine has no such address'
const forbidden = 'your user may not use it, because ports below 1024 need a special permission'
const reasons: Readonly<Record<string, string>> = {
  EACCES: forbidden,
  EADDRINUSE: 'the port is in use',
  EADDRNOTAVAIL: noAddress,
  EAI_AGAIN: noAddress,
  ENOTFOUND: noAddress,
}

function unavailable({ host, port, hostSetting, portSetting }: Address, reason: string): Error {
  const advice = reason === noAddress ? `host with ${hostSetting}` : `port with ${portSetting}`
  const where = `Cannot listen on port ${port} of ${host}`
  const isTaken = reason === reasons['EADDRINUSE']
  return commandError(
    'PORT_UNAVAILABLE',
    isTaken
      ? `${where}: ${reason} by another program. Stop that program, or use another ${advice}.`
      : `${where}: ${reason}. Use another ${advice}.`,
  )
}

interface RequestQueueOptions<Arguments extends readonly unknown[]> {
  /** Called when the queue is full. */
  readonly refuse: (...each: Arguments) => void
  readonly perTurn?: number
  readonly maximumWaiting?: number
}

/**
 * Starts at most `perTurn` requests in one turn of the event loop, in order of arrival. Node accepts one new connection
 * per turn and then handles everything that is ready: under load, new connections would wait for seconds. The queue has a
 * limit because one connection can send any number of requests ahead.
 */
export function queueRequests<Arguments extends readonly unknown[]>(
  work: (...each: Arguments) => void,
  { refuse, perTurn = 16, maximumWaiting = 1024 }: RequestQueueOptions<Arguments>,
): (...each: Arguments) => void {
  const waiting: Arguments[] = []
  let begun = 0
  const begin = (each: Arguments) => {
    if (begun === 0) setImmediate(nextTurn)
    begun += 1
    work(...each)
  }
  const nextTurn = () => {
    begun = 0
    for (const each of waiting.splice(0, perTurn)) begin(each)
  }
  return (...each) => {
    if (begun < perTurn) begin(each)
    else if (waiting.length < maximumWaiting) waiting.push(each)
    else refuse(...each)
  }
}

/** Clients that pipeline requests send only a few. */
const maximumPerConnection = 100

interface Connection {
  readonly answers: Set<ServerResponse>
  /** The client has sent too many requests ahead. */
  isOver: boolean
}

/**
 * When the server ends, each pending response closes its connection. Responses are kept for each connection and dropped with
 * it, because a response that waits behind another one never emits `close`.
 */
class PendingResponses {
  readonly #connections = new WeakMap<Socket, Connection>()
  readonly #waiting = new Set<Connection>()
  #isEnding = false

  get count(): number {
    let sum = 0
    for (const { answers } of this.#waiting) sum += answers.size
    return sum
  }

  /**
   * Returns `refuse` only for the first request above the limit. Later ones get no response, because the refusal closes
   * the connection.
   */
  begin(request: IncomingMessage, response: ServerResponse): 'answer' | 'refuse' | 'ignore' {
    const { socket } = request
    const connection = this.#connectionOf(socket)
    if (connection.isOver || socket.destroyed) return 'ignore'
    if (connection.answers.size >= maximumPerConnection) {
      connection.isOver = true
      dropWhatComes(socket)
      return 'refuse'
    }
    if (this.#isEnding) endConnection(response)
    connection.answers.add(response)
    this.#waiting.add(connection)
    response.once('close', () => {
      // A body that nobody has read to its end would delay the next request on this connection.
      request.resume()
      connection.answers.delete(response)
      if (connection.answers.size === 0) this.#waiting.delete(connection)
    })
    return 'answer'
  }

  /** Whether the client has read everything, and misses an answer or has not yet sent its first request. */
  mayStay(socket: Socket): boolean {
    const pending = this.#connections.get(socket)?.answers.size
    return pending !== 0 && socket.writableLength === 0
  }

  /**
   * Announces the end of each connection: otherwise a client that reuses one could be cut off in the middle of a
   * request.
   */
  end(): void {
    this.#isEnding = true
    for (const { answers } of this.#waiting) {
      for (const response of answers) endConnection(response)
    }
  }

  #connectionOf(socket: Socket): Connection {
    const known = this.#connections.get(socket)
    if (known) return known
    const connection = { answers: new Set<ServerResponse>(), isOver: false }
    this.#connections.set(socket, connection)
    // Nothing can be answered after the end of this side, or of the connection.
    const end = () => {
      connection.isOver = true
      this.#waiting.delete(connection)
    }
    socket.once('finish', end).once('close', end)
    return connection
  }
}

/** RFC 9112 9.6: `Connection: close`. */
function endConnection(response: ServerResponse): void {
  response.shouldKeepAlive = false
}
