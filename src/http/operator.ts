import { createHash, timingSafeEqual } from 'node:crypto'
import { H3, type H3Event, type Middleware } from 'h3'
import { Problem } from '../domain/problem.ts'
import { runOperation } from '../operations/run-operation.ts'
import type { Logger } from '../ports/logger.ts'
import { environmentMismatch } from '../usecases/claim-environment.ts'
import type { Service } from '../usecases/service.ts'
import { answering } from './answering.ts'
import { bearerToken } from './bearer-token.ts'
import { healthRoutes } from './health.ts'
import type { Metrics } from './metrics.ts'
import { requireRoute } from './middleware/require-route.ts'
import { noncePattern, operatorProof } from './operator-proof.ts'
import { parseJson, readBytes } from './read-json.ts'
import { writeRows } from './write-rows.ts'

export interface OperatorOptions {
  readonly logger: Logger
  readonly metrics: Metrics
  readonly token: string
  /** Opens `/metrics` alone. */
  readonly metricsToken?: string | undefined
  /** Of this start, as its control file names it. */
  readonly instanceId: string
  /** Of this listener, not of the partner API. */
  readonly baseUrl: string
}

/** A fixture file with its images comes as one body. */
const maximumInputBytes = 128 * 1024 * 1024

/** The other listener: every operation of the commands, metrics and the backup, for whoever holds the token. */
export function createOperatorApp(service: Service, options: OperatorOptions): H3 {
  const { logger, metrics, baseUrl } = options
  const { clock, random, settings, upkeep } = service
  const app = new H3(answering({ baseUrl, clock, random, logger }))
  return app
    .register(healthRoutes(service))
    .use(requireToken(options), forOperators)
    .use(requireEnvironment(settings.environment), forOperators)
    .use(requireRoute(app))
    .get('/identity', (event) => identify(event, options))
    .post('/operations/:name', async (event) => {
      const name = event.context.params?.['name'] ?? ''
      return answer(event, await runOperation(service, name, await readInput(event)))
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

function answer({ res }: H3Event, result: unknown): unknown {
  if (!Array.isArray(result)) return result
  res.headers.set('content-type', 'application/json;charset=UTF-8')
  return ReadableStream.from(writeRows(result))
}

async function readInput(event: H3Event): Promise<unknown> {
  return parseJson(await readBytes(event, maximumInputBytes))
}

const metricsPath = '/metrics'
const openToAll = ['/livez', '/readyz', '/identity']

const forOperators = {
  match: ({ url }: H3Event) => !openToAll.includes(url.pathname),
}

/** Asked before a command sends its token: another program may have got the port. */
function identify({ url }: H3Event, { token, instanceId }: OperatorOptions) {
  const nonce = url.searchParams.get('nonce') ?? ''
  if (!noncePattern.test(nonce)) {
    throw new Problem('INVALID_PARAMETER', 'nonce has to be 32 to 128 hexadecimal digits.')
  }
  return { instance_id: instanceId, proof: operatorProof(token, { instanceId, nonce }) }
}

function requireToken({ token, metricsToken = token }: OperatorOptions): Middleware {
  const [forAll, forMetrics] = [digest(token), digest(metricsToken)]
  return (event) => {
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
