import { createHash, timingSafeEqual } from 'node:crypto'
import { H3, type H3Event, type Middleware } from 'h3'
import { Problem } from '../domain/problem.ts'
import { isOperationName, listInBatches, runOperation } from '../operations/run-operation.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import { environmentMismatch } from '../usecases/claim-environment.ts'
import type { Service } from '../usecases/service.ts'
import { answering } from './answering.ts'
import { bearerToken } from './bearer-token.ts'
import { healthRoutes } from './health.ts'
import type { Answered, Metrics } from './metrics.ts'
import { requireRoute } from './middleware/require-route.ts'
import { slowDownWrongTokens } from './middleware/slow-down-wrong-tokens.ts'
import { takeSignedRequests } from './middleware/take-signed-requests.ts'
import { digestOf, noncePattern, operatorProof } from './operator-signature.ts'
import { problemPageRoutes, problemPagesPath } from './problem-pages.ts'
import { parseJson, readBytes } from './read-json.ts'
import { begun, inParts, writeRows } from './write-rows.ts'

export interface OperatorOptions {
  readonly logger: Logger
  /** Whether the service is about to stop: then it is not ready, and still answers. */
  readonly isDraining?: () => boolean
  readonly metrics: Metrics
  readonly token: string
  /** Opens `/metrics` alone. */
  readonly metricsToken?: string | undefined
  /** Of this start, as its control file names it. */
  readonly instanceId: string
  /** Of this listener, not of the partner API. */
  readonly baseUrl: string
  /** Other addresses under which commands reach it: `host` or `host:port`. */
  readonly names?: readonly string[]
  /** Called with every answer. */
  readonly observe?: (answered: Answered) => void
}

/** A fixture file with its images comes as one body. */
const maximumInputBytes = 128 * 1024 * 1024

/** The other listener: every operation of the commands, metrics and the backup, for those who hold the token. */
export function createOperatorApp(service: Service, options: OperatorOptions): H3 {
  const { logger, metrics, baseUrl } = options
  const { clock, random, settings, upkeep } = service
  const { observe } = options
  const app = new H3(answering({ baseUrl, clock, random, logger, observe }))
  return app
    .register(healthRoutes(service, options.isDraining))
    .use(slowDownWrongTokens({ clock, logger }), forOperators)
    .register(problemPageRoutes())
    .use(takeSignedRequests(app, { ...options, clock }), forOperators)
    .use(requireToken(options), forOperators)
    .use(requireEnvironment(settings.environment), forOperators)
    .use(requireRoute(app))
    .get('/identity', (event) => identify(event, options, clock))
    .post('/operations/:name', async (event) => {
      const name = event.context.params?.['name'] ?? ''
      if (isOperationName(name)) event.context.operation = name
      const input = await readInput(event)
      const batches = listInBatches(service, name, input)
      if (batches) return answerRows(event, await begun(batches))
      return answer(event, await runOperation(service, name, input))
    })
    .get(metricsPath, async (event) => {
      event.res.headers.set('content-type', metrics.contentType)
      return metrics.render()
    })
    .get('/store/backup', (event) => {
      event.res.headers.set('content-type', 'application/octet-stream')
      return ReadableStream.from(upkeep.backup())
    })
}

function answer(event: H3Event, result: unknown): unknown {
  return Array.isArray(result) ? answerRows(event, inParts(result)) : result
}

function answerRows({ res }: H3Event, batches: AsyncIterable<readonly unknown[]>): ReadableStream {
  res.headers.set('content-type', 'application/json;charset=UTF-8')
  return ReadableStream.from(writeRows(batches))
}

async function readInput(event: H3Event): Promise<unknown> {
  const bytes = await readBytes(event, maximumInputBytes)
  const { signedDigest } = event.context
  if (signedDigest !== undefined && signedDigest !== digestOf(bytes)) {
    throw new Problem('UNAUTHENTICATED', 'The body is not the one that was signed.')
  }
  return parseJson(bytes)
}

const metricsPath = '/metrics'
const openToAll = ['/livez', '/readyz', '/identity']

const forOperators = {
  match: ({ url: { pathname } }: H3Event) =>
    !(openToAll.includes(pathname) || pathname.startsWith(problemPagesPath)),
}

/** Asked before a command sends anything: another program may have got the port. What it answers goes into signatures. */
function identify({ url }: H3Event, { token, instanceId }: OperatorOptions, clock: Clock) {
  const nonce = url.searchParams.get('nonce') ?? ''
  if (!noncePattern.test(nonce)) {
    throw new Problem('INVALID_PARAMETER', 'nonce has to be 32 to 128 hexadecimal digits.')
  }
  const time = Math.floor(clock.monotonicMs())
  const proof = operatorProof(token, { instanceId, time, nonce })
  return { instance_id: instanceId, time, proof }
}

function requireToken({ token, metricsToken = token }: OperatorOptions): Middleware {
  const [forAll, forMetrics] = [digest(token), digest(metricsToken)]
  return (event) => {
    if (event.context.signedDigest !== undefined) return
    // Digests have one length, so that the comparison tells nothing about the token's.
    const given = digest(bearerToken(event) ?? '')
    if (timingSafeEqual(given, forAll)) return
    if (event.url.pathname === metricsPath && timingSafeEqual(given, forMetrics)) return
    throw new Problem('UNAUTHENTICATED', 'Send the operator token: Authorization: Bearer <token>.')
  }
}

/** A command meant for staging does nothing to production, whichever service it finds. */
function requireEnvironment(environment: string): Middleware {
  return (event) => {
    const asked = event.req.headers.get('coopshare-environment') ?? environment
    if (asked !== environment) throw environmentMismatch(environment, asked)
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
