import type { ServerResponse } from 'node:http'
import type { H3, H3Event, H3EventContext } from 'h3'
import { keptBodyBytes, type Message } from '../../domain/bench/exchange.ts'
import type { Reset } from '../../domain/bench/fault.ts'
import type { Bench } from '../../usecases/bench/bench.ts'
import { operationIdOf } from '../app-config.ts'
import { readAhead } from '../read-body.ts'
import { type BufferedAnswer, previewAnswer } from './contract-preview.ts'
import { isPartnerOperation } from './gate.ts'

type Request = H3Event['req']

/** What a socket needs of an app. */
export type Answering = Pick<H3, 'fetch'>

/** Between the socket and the partner API: records each exchange, and cuts connections where a fault says so. */
export function createBenchEdge(app: Answering, bench: Bench): Answering {
  // The same type but for what its JSON is known to be.
  return { fetch: (request) => answer(app, bench, request as Request) }
}

async function answer(app: Answering, bench: Bench, request: Request): Promise<Response> {
  const { clock, journal, contractPreview } = bench
  const at = clock.now()
  const startedMs = clock.stopwatchMs()
  const ahead = await readAhead(request, keptBodyBytes)
  const sent = await bufferAnswer(await app.fetch(request))
  const context: Partial<H3EventContext> = request.context ?? {}
  const operation = operationIdOf(request.method, context.matchedRoute?.route ?? 'none')
  const answered = contractPreview
    ? previewAnswer(sent, { preview: contractPreview, operation })
    : sent
  const { fault } = context
  const reset = fault?.reset ?? null
  if (operation === undefined || isPartnerOperation(operation)) {
    const { pathname, search } = new URL(request.url)
    const caller = context.authentication ?? context.caller
    const isUnanswered = reset === 'before' || reset === 'after-commit'
    journal.record({
      at,
      direction: 'partner',
      operation: operation ?? null,
      method: request.method,
      path: `${pathname}${search}`,
      request: {
        headers: headersOf(request),
        body: Buffer.concat(ahead.chunks).toString(),
        isCutOff: !ahead.isWhole,
      },
      status: isUnanswered ? null : answered.status,
      response: isUnanswered ? nothing : messageOf(answered.headers, answered.body),
      code: isUnanswered ? null : (context.problemCode ?? null),
      clientId: caller?.clientId ?? null,
      organizationId: caller?.organizationId ?? null,
      requestId: context.requestId ?? null,
      webhookEndpointId: null,
      durationMs: Math.round(clock.stopwatchMs() - startedMs),
      faultId: fault?.faultId ?? null,
    })
  }
  if (reset !== null) return cut(request, reset, answered)
  const { status, headers, body } = answered
  const hasBody = body.length > 0 && request.method !== 'HEAD'
  return new Response(hasBody ? (body as Uint8Array<ArrayBuffer>) : null, { status, headers })
}

/** Node has them as an object already. */
function headersOf({ runtime, headers }: Request): Readonly<Record<string, string>> {
  const ofNode = runtime?.node?.req.headers as Readonly<Record<string, string>> | undefined
  return ofNode ?? Object.fromEntries(headers)
}

async function bufferAnswer(response: Response): Promise<BufferedAnswer> {
  const body = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, body }
}

const nothing: Message = { headers: {}, body: '', isCutOff: false }

function messageOf(headers: Headers, body: Buffer): Message {
  return {
    headers: Object.fromEntries(headers),
    body: body.subarray(0, keptBodyBytes).toString(),
    isCutOff: body.length > keptBodyBytes,
  }
}

/** Ends the connection instead of answering; nothing waits for this answer any more. */
function cut({ runtime }: Request, reset: Reset, answered: BufferedAnswer): Promise<never> {
  const response = runtime?.node?.res as ServerResponse | undefined
  const socket = response?.socket
  if (reset === 'mid-body' && response) {
    const { status, headers, body } = answered
    const length = { 'content-length': body.length }
    response.writeHead(status, { ...Object.fromEntries(headers), ...length })
    // The client has half of the answer before the connection ends.
    response.write(body.subarray(0, Math.ceil(body.length / 2)), () => socket?.destroy())
  } else if (socket && 'encrypted' in socket) socket.destroy()
  else socket?.resetAndDestroy()
  return new Promise(() => {})
}
