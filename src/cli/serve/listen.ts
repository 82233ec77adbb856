import { once } from 'node:events'
import type { IncomingMessage, RequestListener } from 'node:http'
import { createServer } from 'node:net'
import { Errors } from '@oclif/core'
import type { H3 } from 'h3'
import { toNodeHandler } from 'h3/node'
import { type Listener, listen as listhen } from 'listhen'
import type { HttpsFiles } from '../../config.ts'
import type { Refusals } from '../../http/refusals.ts'
import { exitCodes } from '../exit-codes.ts'
import { OpenAnswers } from './open-answers.ts'
import { takeTurns } from './take-turns.ts'

export interface Address {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** `true`: with a certificate made for this machine. */
  readonly https: boolean | HttpsFiles
  /** How long a whole request may take to arrive. */
  readonly requestTimeoutMs: number
  /** Named when the port cannot be had. */
  readonly portFlag: string
}

export interface Listening {
  readonly port: number
  /** How many requests are not answered yet. */
  underWay(): number
  /** Until then, every request is answered 503: the app may have to know the port first. */
  answerWith(app: H3, refusals: Refusals): void
  /** From now on each answer is the last one of its connection; new connections are taken. */
  endConnections(): void
  /** Takes no more connections, and waits for the answers to requests in flight, but not longer than `patienceMs`. */
  close(patienceMs: number): Promise<void>
}

const certificateDays = 30
/** Nobody needs longer for a few lines: whoever does only holds a connection. */
const headersTimeoutMs = 10_000
const sweepMs = 500

export async function listen(address: Address): Promise<Listening> {
  const notYet: RequestListener = (_request, response) => response.writeHead(503).end()
  let [answer, refuse] = [notYet, notYet]
  const listener = await open(address, notYet)
  const { server } = listener
  // Beside the handler, listhen has one that counts busy connections, and which a request whose body was cut off stops
  // the whole process with: it looks for a socket that is gone by then.
  server.removeAllListeners('request')
  const answers = new OpenAnswers()
  const begin: RequestListener = (request, response) => {
    const what = answers.begin(request, response)
    if (what === 'answer') answer(request, response)
    else if (what === 'refuse') refuse(request, response)
  }
  server.on('request', begin)
  // Where a Host is required, Node itself answers, with no body and no X-Request-Id.
  const { requestTimeoutMs: requestTimeout } = address
  Object.assign(server, {
    requireHostHeader: false,
    headersTimeout: headersTimeoutMs,
    requestTimeout,
  })
  // An expectation that nobody knows is no reason to refuse (RFC 9110 10.1.1).
  server.on('checkExpectation', begin)
  return {
    port: listener.address.port,
    underWay: () => answers.count,
    answerWith(app, { refuseUnreadable, refuseWithoutHost, refuseForNow }) {
      const work = toNodeHandler(app) as RequestListener
      const workForCaller: RequestListener = (request, response) => {
        // Whoever has hung up while waiting is not answered any more.
        if (!request.socket.destroyed) work(request, response)
      }
      refuse = refuseForNow
      const answerByApp = takeTurns(workForCaller, { refuse: refuseForNow })
      answer = (request, response) =>
        lacksHost(request) ? refuseWithoutHost(request, response) : answerByApp(request, response)
      server.on('clientError', refuseUnreadable)
    },
    endConnections: () => answers.end(),
    close: (patienceMs) => {
      answers.end()
      return close(listener, patienceMs)
    },
  }
}

function lacksHost({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === '1.1' && headers.host === undefined
}

async function open(address: Address, handle: RequestListener): Promise<Listener> {
  const listener = await listhen(handle, optionsOf(address)).catch(async (error: Error) => {
    if (error.name !== 'GetPortError') throw error
    throw unavailable(address, await reasonOf(address))
  })
  // listhen takes port 3000 instead of one that browsers do not open.
  if (address.port === 0 || listener.address.port === address.port) return listener
  await close(listener, 0)
  throw unavailable(address, 'it is reserved for another protocol')
}

/** listhen takes from PORT, HOST and the command line what is left open here: so nothing is. */
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

async function close({ server }: Listener, patienceMs: number): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  // Those whose answer had begun already are told nothing.
  const sweep = setInterval(() => server.closeIdleConnections(), sweepMs)
  const giveUp = setTimeout(() => server.closeAllConnections(), patienceMs)
  await closed
  clearInterval(sweep)
  clearTimeout(giveUp)
}

/** listhen only says that it cannot; asking once more says why. */
function reasonOf({ host, port }: Address): Promise<string> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'EADDRINUSE' ? 'the port is taken' : error.message)
    })
    probe.listen(port, host, () => probe.close(() => resolve('the port was taken')))
  })
}

function unavailable({ host, port, portFlag }: Address, reason: string): Error {
  return new Errors.CLIError(
    `Cannot listen on port ${port} of ${host}: ${reason}. Choose another one with ${portFlag}.`,
    { code: 'PORT_UNAVAILABLE', exit: exitCodes.unreachable },
  )
}
