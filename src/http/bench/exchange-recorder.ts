import type { H3, H3Event, H3EventContext } from 'h3'
import { addedField, type ContractPreview } from '../../domain/bench/contract-preview.ts'
import type { Bench } from '../../usecases/bench/bench.ts'
import { keptBodyBytes, type Message } from '../../usecases/bench/journal.ts'
import { apiOperations, isPartnerOperation, operationIdOf } from '../operation-ids.ts'
import { readAhead } from '../read-body.ts'
import { type BufferedAnswer, cutConnection, loadContract } from './faults.ts'

type Request = H3Event['req']

/** The part of an app that a socket needs. */
type FetchHandler = Pick<H3, 'fetch'>

/** Between the socket and the partner API: records each exchange, and cuts connections if a fault requires it. */
export function recordExchanges(app: FetchHandler, bench: Bench): FetchHandler {
  // The same type, except that its JSON is typed.
  return { fetch: (request) => answer(app, bench, request as Request) }
}

async function answer(app: FetchHandler, bench: Bench, request: Request): Promise<Response> {
  const { clock, journal, contractPreview } = bench
  const at = clock.now()
  const startedMs = clock.stopwatchMs()
  const ahead = await readAhead(request, keptBodyBytes)
  const sent = await bufferAnswer(await app.fetch(request))
  const context: Partial<H3EventContext> = request.context ?? {}
  const operation = operationIdOf(request.method, context.matchedRoute?.route ?? 'none')
  const answered = contractPreview ? previewAnswer(sent, contractPreview, operation) : sent
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
  if (reset !== null) return cutConnection(request, reset, answered)
  const { status, headers, body } = answered
  const hasBody = body.length > 0 && request.method !== 'HEAD'
  return new Response(hasBody ? (body as Uint8Array<ArrayBuffer>) : null, { status, headers })
}

/** Node already has the headers as an object. */
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

/** The properties that a preview of the contract can remove. */
export async function listRemovable(): Promise<ReadonlySet<string>> {
  const contract = await loadContract()
  return new Set([
    ...apiOperations.flatMap((id) => [...contract.propertiesOf(id)]),
    ...contract.listEventTypes().flatMap((type) => [...contract.eventPropertiesOf(type)]),
  ])
}

/** Changes an answer as a later version of the contract could. Errors, documents and keys do not change. */
function previewAnswer(
  answer: BufferedAnswer,
  preview: ContractPreview,
  operation = '',
): BufferedAnswer {
  const isData = answer.headers.get('content-type')?.startsWith('application/json')
  if (!isData || answer.status >= 300 || !apiOperations.includes(operation)) return answer
  const changed = changeValue(JSON.parse(answer.body.toString()), preview)
  const body = Buffer.from(JSON.stringify(changed))
  const headers = new Headers(answer.headers)
  headers.set('content-length', String(body.length))
  return { ...answer, headers, body }
}

/** A value that the published contract does not have, in a list that versions may extend (`x-extensible-enum`). */
const addedScope = 'preview:read'

function changeValue(value: unknown, preview: ContractPreview): unknown {
  if (Array.isArray(value)) return value.map((item) => changeValue(item, preview))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, inner]) => [name, changeValue(inner, preview)])
  if (preview !== 'additive') {
    return Object.fromEntries(entries.filter(([name]) => name !== preview.removed))
  }
  const changed: Record<string, unknown> = Object.fromEntries(entries)
  const { granted_scopes: scopes } = changed
  if (Array.isArray(scopes)) changed['granted_scopes'] = [...scopes, addedScope]
  return { ...changed, ...addedField }
}
