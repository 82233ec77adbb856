import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Problem } from '../domain/problem.ts'
import { type ProblemWithoutCode, problemsWithoutCode } from '../domain/problem-code.ts'
import { parseUrl } from '../domain/text.ts'
import { requestIdIn } from './app-config.ts'
import { renderProblem, typeUri } from './problem-details.ts'
import { countHeaderLines } from './repeated-headers.ts'

/** Responses to requests that never reach the app. Callers see no difference. */
interface ProtocolErrorOptions {
  readonly baseUrl: string
  newRequestId(): string
}

export interface ProtocolErrorResponses {
  /** Refuses data that the HTTP parser cannot read. */
  refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void
  /** Refuses a request whose Host is missing, repeated or not valid. @returns whether it has refused it */
  refuseHost(request: IncomingMessage, response: ServerResponse): boolean
  /** Refuses requests beyond the queue limit. */
  refuseForNow(request: IncomingMessage, response: ServerResponse): void
}

interface Refusal {
  readonly name: ProblemWithoutCode
  readonly detail: string
}

const malformed: Refusal = {
  name: 'BAD_REQUEST',
  detail: 'This is not a well-formed HTTP request.',
}

const unreadable: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    name: 'REQUEST_HEADER_FIELDS_TOO_LARGE',
    detail: 'The URL and the headers of the request are too long.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    name: 'REQUEST_TIMEOUT',
    detail: 'The request did not arrive in time.',
  },
}

export function createProtocolErrorResponses({
  baseUrl,
  newRequestId,
}: ProtocolErrorOptions): ProtocolErrorResponses {
  return {
    refuseUnreadable(error, socket) {
      if (!socket.writable) {
        socket.destroy()
        return
      }
      const refusal = unreadable[error.code ?? ''] ?? malformed
      const { headers, body } = render(refusal, baseUrl, newRequestId())
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      const { status, title } = problemsWithoutCode[refusal.name]
      socket.write(`HTTP/1.1 ${status} ${title}\r\n${lines.join('')}\r\n${body}`)
      ;(socket as Socket).destroySoon()
      if (refusal.name === 'REQUEST_TIMEOUT') destroyLater(socket)
    },
    refuseHost(request, response) {
      const detail = hostFaultOf(request)
      if (detail === undefined) return false
      const { headers, body } = render({ ...malformed, detail }, baseUrl, requestIdOf(request))
      response.writeHead(problemsWithoutCode[malformed.name].status, headers).end(body)
      return true
    },
    refuseForNow(request, response) {
      const requestId = requestIdOf(request)
      const [path = ''] = request.url?.split('?') ?? []
      const body = JSON.stringify(renderProblem(overloaded, { baseUrl, path, requestId }))
      const headers = { ...headersOf(body, requestId), 'Retry-After': '1' }
      response.writeHead(503, headers).end(body)
    },
  }

  function requestIdOf({ headers }: IncomingMessage): string {
    return requestIdIn(headers['x-request-id']?.toString()) ?? newRequestId()
  }
}

/** RFC 9112 3.2. */
function hostFaultOf(request: IncomingMessage): string | undefined {
  if (countHeaderLines(request, 'host') > 1) return 'Send the header Host only once.'
  const { host } = request.headers
  if (host !== undefined) return isHost(host) ? undefined : 'The header Host is not a host name.'
  return request.httpVersion === '1.1' ? 'An HTTP/1.1 request must have a Host header.' : undefined
}

/** Nearly all requests name the same host, and reading it as a URL takes longer than routing a request. */
let lastHost: string | undefined

/** These characters are allowed in a host with a port (RFC 3986 3.2.2). */
function isHost(text: string): boolean {
  if (text === lastHost) return true
  const isValid =
    /^[\w.~!$&'()*+,;=%:[\]-]+$/.test(text) && parseUrl(`http://${text}`)?.pathname === '/'
  if (isValid) lastHost = text
  return isValid
}

/** Any client can read a refusal within this time. */
const patienceMs = 2000

/** A client that has been too slow gets no further time to send the rest. */
function destroyLater(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), patienceMs).unref()
  socket.once('close', () => clearTimeout(timer))
}

const overloaded = new Problem(
  'SERVICE_UNAVAILABLE',
  'Too many requests are waiting. Repeat the request in a moment.',
)

/**
 * spec: every response has X-Request-Id, and every error is a problem document. `instance` is
 * missing because the path is unknown.
 */
function render({ name, detail }: Refusal, baseUrl: string, requestId: string) {
  const type = typeUri(baseUrl, name)
  const { title, status } = problemsWithoutCode[name]
  const body = JSON.stringify({ type, title, status, detail, trace_id: requestId })
  return { headers: headersOf(body, requestId), body }
}

function headersOf(body: string, requestId: string) {
  return {
    'Content-Type': 'application/problem+json',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': requestId,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    Connection: 'close',
  }
}
