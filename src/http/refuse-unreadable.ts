import type { Duplex } from 'node:stream'

/** What Node's parser cannot make a request of never reaches the app; the answer has the same form all the same. */
export interface Unreadable {
  readonly error: NodeJS.ErrnoException
  readonly socket: Duplex
  readonly baseUrl: string
  readonly requestId: string
}

interface Refusal {
  readonly status: number
  readonly reason: string
  readonly detail: string
}

const malformed: Refusal = {
  status: 400,
  reason: 'Bad Request',
  detail: 'This is not a well-formed HTTP request.',
}

const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: 'Request Header Fields Too Large',
    detail: 'The address and the headers of the request are too long.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    reason: 'Request Timeout',
    detail: 'The request did not arrive in time.',
  },
}

/** spec: every response carries X-Request-Id, every error is a problem document. Which path was meant nobody knows. */
export function refuseUnreadable({ error, socket, baseUrl, requestId }: Unreadable): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const { status, reason, detail } = refusals[error.code ?? ''] ?? malformed
  const type = `${baseUrl}/errors/${reason.toLowerCase().replaceAll(' ', '-')}`
  const body = JSON.stringify({ type, title: reason, status, detail, trace_id: requestId })
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
