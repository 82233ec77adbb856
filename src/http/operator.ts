import { H3, type H3Event, type Middleware } from 'h3'
import { type ActingOperator, hasRole, localAdministrator } from '../domain/operators/operator.ts'
import { Problem } from '../domain/problem.ts'
import { randomBytes } from '../machine/random.ts'
import { nextTurn } from '../machine/time.ts'
import { isOperationName } from '../operations/operations.ts'
import { minimumRole } from '../operations/roles.ts'
import {
  auditBackup,
  type Caller,
  listAs,
  requireRoleForWork,
  runAs,
  serviceForOperator,
} from '../operations/run-audited.ts'
import type { Logger } from '../ports/logger.ts'
import { RefusedAttempts } from '../usecases/audit/refused-attempts.ts'
import {
  authenticateToken,
  findSigner as findNamedSigner,
} from '../usecases/operators/operator-tokens.ts'
import { endSessions, findOperator } from '../usecases/operators/operators.ts'
import type { SignInLinks } from '../usecases/operators/sign-in-links.ts'
import type { Service } from '../usecases/service.ts'
import { environmentMismatch } from '../usecases/store/store-settings.ts'
import { bearerToken } from './access-control.ts'
import { createAppConfig, requireRoute } from './app-config.ts'
import { type BenchControl, benchRoutes } from './bench/routes.ts'
import type { Files } from './console/html.ts'
import { consoleRoutes, isForConsole } from './console/routes.ts'
import type { Build } from './console/system.ts'
import { healthRoutes } from './health.ts'
import { logoRoutes } from './logo.ts'
import { operatorDocumentRoutes } from './operator-document/routes.ts'
import { isEqualInConstantTime, noncePattern, operatorProof } from './operator-signature.ts'
import { allProblemsPath, problemPageRoutes, problemPagesPath } from './problem-pages.ts'
import { readBoolean, readParameter, requireEncodedPath, requireParameter } from './query.ts'
import { limitWrongTokens } from './rate-limits.ts'
import { parseJson, readBytes, streamText } from './read-body.ts'
import { operatorDocumentPath } from './reference-page.ts'
import { type Streaming, streamOf } from './render-error.ts'
import { type RequestFeed, requestFeedRoutes } from './request-feed.ts'
import type { Metrics, ObserveRequest } from './request-metrics.ts'
import { statementFilePath } from './statement-file.ts'
import {
  callerOf,
  type FindSigner,
  type SigningOptions,
  verifySignedRequests,
} from './verify-signed-requests.ts'

export interface OperatorOptions {
  readonly logger: Logger
  /** For lines that anybody can cause without a token. */
  readonly limitedLogger: Logger
  /** Whether the service is about to stop. A stopping service is not ready, but still responds. */
  readonly isDraining?: () => boolean
  readonly metrics: Metrics
  readonly token: string
  /** A token for `/metrics` alone. */
  readonly metricsToken?: string | undefined
  /** The id of this start, as in the control file. */
  readonly instanceId: string
  /** The base URL of this listener, not of the partner API. */
  readonly baseUrl: string
  /** Other authorities at which commands reach this listener: `host` or `host:port`. */
  readonly names?: readonly string[]
  /** The requests of partners. */
  readonly feed: RequestFeed
  /** The version that the console shows. */
  readonly build: Build
  readonly signInLinks: SignInLinks
  /** What the console does with files. */
  readonly files: Files
  /** undefined without `serve --bench`. */
  readonly bench?: BenchControl | undefined
  /** Called after every response. */
  readonly observe?: ObserveRequest
}

/** Commands send larger files in parts. While a body is parsed, nothing else is answered. */
const largeInputBytes = 16 * 1024 * 1024
const usualInputBytes = 1024 * 1024

/**
 * The operator endpoint: operations, metrics and backup, for holders of the token, and its own document for everyone.
 * operator-document/ describes every path.
 */
export function createOperatorApp(given: Service, options: OperatorOptions): H3 {
  const refusedAttempts = new RefusedAttempts(given.clock)
  const { signInLinks } = options
  const service = { ...given, refusedAttempts, signInLinks }
  const { logger, metrics, baseUrl, feed, observe } = options
  const { clock, random, settings, storeAdmin } = service
  const signing = { ...options, findSigner: signersOf(service, options), clock }
  const app = new H3(createAppConfig({ baseUrl, clock, random, logger, observe }))
  const wrongTokens = limitWrongTokens({
    service,
    logger: options.limitedLogger,
    refused: refusedAttempts,
  })
  const authenticate = (given: string) => operatorWith(service, options, given)
  const forConsole = {
    ...options,
    clock,
    settings,
    authenticate,
    limitWrongTokens: wrongTokens,
    vault: service.vault,
    useLink: (code: string) => signInLinks.use(code),
    serviceFor: (caller: Caller) => serviceForOperator(service, caller),
    findOperator: (id: string) => findOperator(service, id),
    endSessions: (id: string) => endSessions(service, id),
  }
  return app
    .register(healthRoutes(service, options.isDraining))
    .use(wrongTokens, forOperators)
    .register(problemPageRoutes())
    .register(logoRoutes())
    .register(
      operatorDocumentRoutes(
        baseUrl,
        settings.environment === 'staging' ? { kind: 'operator' } : undefined,
      ),
    )
    .register(consoleRoutes(forConsole))
    .use(verifySignedRequests(app, signing), forOperators)
    .use(requireToken(service, options), forOperators)
    .use(requireEnvironment(settings.environment), forOperators)
    .use(requireEncodedPath)
    .register(benchRoutes(service, options.bench))
    .register(requestFeedRoutes(feed))
    .use(requireRoute(app))
    .get('/identity', (event) => identify(event, signing))
    .post('/operations/:name', async (event) => {
      const name = event.context.params?.['name'] ?? ''
      if (isOperationName(name)) event.context.operation = name
      const caller = callerOf(event)
      const input = await readInputOf(event, name, caller.operator)
      const batches = await listAs(service, caller, name, input)
      if (batches) return answerRows({ event, logger }, batches)
      const result = await runAs(service, caller, name, input)
      return Array.isArray(result) ? answerRows({ event, logger }, inParts(result)) : result
    })
    .post(statementFilePath, async (event) => {
      event.context.operation = 'statement.import'
      const caller = callerOf(event)
      const input = {
        name: requireParameter(event, 'name'),
        dry_run: readBoolean(event, 'dry_run'),
        text: streamText(event, largestStatement),
      }
      return runAs(service, caller, 'statement.import', input)
    })
    .get(metricsPath, async (event) => {
      event.res.headers.set('content-type', metrics.contentType)
      return metrics.render()
    })
    .get('/store/backup', async (event) => {
      const caller = callerOf(event)
      await requireRoleForWork(service, caller, 'store.backup')
      if (!(await auditBackup(service, caller))) {
        const { operatorId } = caller.operator
        logger.warn({ operatorId }, 'a backup was read without an audit entry')
      }
      event.res.headers.set('content-type', 'application/octet-stream')
      return streamOf(storeAdmin.backup(), { event, logger })
    })
}

function answerRows(streaming: Streaming, batches: AsyncIterable<readonly unknown[]>) {
  streaming.event.res.headers.set('content-type', 'application/json;charset=UTF-8')
  return streamOf(writeRows(batches), streaming)
}

/**
 * While a large body is parsed, nothing else is answered, so only a change that the operator may make can have one. A
 * refusal of the role comes before faults of the body.
 */
async function readInputOf(event: H3Event, name: string, operator: ActingOperator) {
  const least = isOperationName(name) ? minimumRole(name) : 'viewer'
  if (least === 'viewer') return readInput(event, usualInputBytes)
  if (hasRole(operator, least)) return readInput(event, largeInputBytes)
  return readInput(event, usualInputBytes).catch(() => undefined)
}

async function readInput(event: H3Event, limit: number): Promise<unknown> {
  // Some clients send null for no input.
  return parseJson(await readBytes(event, limit)) ?? {}
}

const metricsPath = '/metrics'

/** As much as a command reads of a file. Nothing keeps the text: it is read as it arrives. */
const largestStatement = 128 * 1024 * 1024
const openToAll = [
  ...['/livez', '/readyz', '/identity', '/docs'],
  operatorDocumentPath,
  allProblemsPath,
]

const forOperators = {
  match: (event: H3Event) => {
    const { pathname } = event.url
    const isOpen = openToAll.includes(pathname) || pathname.startsWith(problemPagesPath)
    return !isOpen && !isForConsole(event)
  },
}

/**
 * Commands ask for the identity first, because another program may use the port now. The signatures of later requests contain the answer. For
 * callers who may not sign, the proof uses a random key.
 */
async function identify(event: H3Event, { findSigner, instanceId, clock }: SigningOptions) {
  const nonce = readParameter(event, 'nonce') ?? ''
  if (!noncePattern.test(nonce)) {
    throw new Problem('INVALID_PARAMETER', 'nonce must be 32 to 128 hexadecimal digits.')
  }
  const time = Math.floor(clock.stopwatchMs())
  const signer = await findSigner(readParameter(event, 'operator'))
  const key = signer?.key ?? randomBytes(32).toString('hex')
  const proof = operatorProof(key, { instanceId, time, nonce })
  return { instance_id: instanceId, time, proof }
}

function signersOf(service: Service, { token }: OperatorOptions): FindSigner {
  const local = { operator: localAdministrator, key: token }
  return async (operatorId) =>
    operatorId === undefined ? local : findNamedSigner(service, operatorId)
}

/** The holder of a token: the local administrator or a named operator. undefined for any other token. */
async function operatorWith(
  service: Service,
  { token }: Pick<OperatorOptions, 'token'>,
  given: string,
): Promise<ActingOperator | undefined> {
  if (isEqualInConstantTime(given, token)) return localAdministrator
  return authenticateToken(service, given)
}

function requireToken(service: Service, options: OperatorOptions): Middleware {
  const { token, metricsToken = token } = options
  return async (event) => {
    if (event.context.operator) return
    const given = bearerToken(event) ?? ''
    event.context.operator = await operatorWith(service, options, given)
    if (event.context.operator) return
    const isForMetrics = event.url.pathname === metricsPath
    if (isForMetrics && isEqualInConstantTime(given, metricsToken)) return
    const what = isForMetrics ? 'metrics token or the operator token' : 'operator token'
    throw new Problem('UNAUTHENTICATED', `Send the ${what}: Authorization: Bearer <token>.`)
  }
}

/** A command for staging does nothing in production, whichever service it reaches. */
function requireEnvironment(environment: string): Middleware {
  return (event) => {
    const asked = event.req.headers.get('coopshare-environment') ?? environment
    if (asked !== environment) throw environmentMismatch(environment, asked)
  }
}

const perPart = 1000

/** Streams a list as JSON with one row per line. */
export async function* writeRows(
  batches: AsyncIterable<readonly unknown[]>,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let start = '[\n'
  for await (const rows of batches) {
    if (rows.length === 0) continue
    yield encoder.encode(`${start}${rows.map((row) => JSON.stringify(row)).join(',\n')}`)
    start = ',\n'
  }
  yield encoder.encode(start === '[\n' ? '[]\n' : '\n]\n')
}

/** Yields a list in portions, so that other work can run between them. */
export async function* inParts<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  for (let from = 0; from < rows.length; from += perPart) {
    yield rows.slice(from, from + perPart)
    await nextTurn()
  }
}
