import { baseUrlOf, type Config, urlOf } from '../../config.ts'
import { localAdministrator } from '../../domain/operators/operator.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import { createApp } from '../../http/app.ts'
import { recordExchanges } from '../../http/bench/exchange-recorder.ts'
import { benchGate } from '../../http/bench/faults.ts'
import type { BenchControl } from '../../http/bench/routes.ts'
import type { Files } from '../../http/console/html.ts'
import { createOperatorApp } from '../../http/operator.ts'
import { createProtocolErrorResponses } from '../../http/protocol-errors.ts'
import { RequestFeed } from '../../http/request-feed.ts'
import {
  type CompletedRequest,
  createMetrics,
  type ObserveRequest,
} from '../../http/request-metrics.ts'
import { ownIdentity } from '../../machine/processes.ts'
import { randomBytes } from '../../machine/random.ts'
import { atMost, nextTurn } from '../../machine/time.ts'
import { openLogger, openService } from '../../open-service.ts'
import { serviceForOperator } from '../../operations/run-audited.ts'
import type { Environment } from '../../ports/collections.ts'
import type { Logger } from '../../ports/logger.ts'
import type { Rekeyed } from '../../ports/store-admin.ts'
import type { WebhookSender } from '../../ports/webhook-sender.ts'
import { systemAuditContext, withAudit } from '../../usecases/audit/record-audit.ts'
import { SignInLinks } from '../../usecases/operators/sign-in-links.ts'
import { Retention } from '../../usecases/retention.ts'
import type { Service } from '../../usecases/service.ts'
import {
  removeControlFile,
  removeUnfinishedControlFiles,
  writeControlFile,
} from '../control-file.ts'
import { build } from '../program/version.ts'
import {
  type Background,
  finishImports,
  pauseBetweenBatches,
  pauseBetweenReads,
  runFates,
  runRekeying,
  runRetention,
  startDeliveries,
  watchDirectory,
} from './background-jobs.ts'
import { runBackups } from './backups.ts'
import { connectionLimits } from './connection-limits.ts'
import { type Listening, listen } from './http-server.ts'
import { demoCredentials } from './initial-data.ts'
import { formOf, renderForPeople } from './log-form.ts'
import { startBench } from './start-bench.ts'

export interface Serving {
  /** Public address. */
  readonly baseUrl: string
  /** Address on this machine. */
  readonly listeningUrl: string
  readonly operatorUrl: string
  /** A link that signs the local administrator in to the console, once and soon. */
  createSignInLink(): Promise<string>
  /**
   * Reports that the service is not ready, so that a load balancer sends requests elsewhere, and keeps answering for the
   * configured time or until `cutShort`.
   */
  drain(cutShort: Promise<unknown>): Promise<void>
  /** Finishes requests in flight. */
  close(): Promise<void>
}

type Prepare = (service: Service) => Promise<void>
type OpenLogger = Awaited<ReturnType<typeof openLogger>>

/** Partners send at most 64 KiB, but operators send fixtures with images. */
const requestTimeoutMs = { partner: 20_000, operator: 300_000 }
/**
 * Operators may write a backup to a slow disk. Over TLS, Node does not see that a client has read a part of what was
 * written at once, so this is the time for a whole answer.
 */
const unreadTimeoutMs = { partner: 30_000, partnerOverTls: 300_000, operator: 300_000 }

/** A stop may take ten seconds, of which the store needs some. */
const patienceMs = 6000

/** At the end of a drain, responses close their connections for at most this time. */
const longestLastMs = 1000

/** What connects the service to other programs. A simulation has its own. */
interface ServeAdapters {
  readonly listen: typeof listen
  readonly openLogger: typeof openLogger
  /** By default, a sender that calls the receivers. */
  readonly webhookSender?: WebhookSender
  readonly isProcessMeasured?: boolean
  readonly isDirectoryWatched?: boolean
}

export async function startServing(
  config: Config,
  prepare: Prepare,
  adapters: ServeAdapters = { listen, openLogger },
): Promise<Serving> {
  const { listen: listenAt, openLogger: openLog, webhookSender, isProcessMeasured } = adapters
  const tokens = operatorTokensOf(config)
  const isText = formOf(config.logFormat) === 'text'
  const logger = await openLog(config, isText ? renderForPeople : undefined)
  logger.info({ ...build }, 'starting')
  for (const { variable, meant } of config.misspelt) {
    logger.warn({ variable, meant }, 'a variable is ignored, because no setting has this name')
  }
  const onWait = (error: unknown) => {
    logger.warn({ seconds: config.databaseWaitMs / 1000, error }, 'waiting for the database')
  }
  const patience = { longestMs: config.databaseWaitMs, onWait }
  const onUnsealed = (error: unknown) => {
    logger.error({ error }, 'audit entries are not in the chain yet; the service will retry')
  }
  const onRekeyed = ({ renewed, damaged }: Rekeyed) => {
    logger.info({ renewed, damaged: damaged.length }, 'the keys of the store were replaced')
  }
  const options = { isServed: true, patience, onUnsealed, onRekeyed, webhookSender }
  const opened = await openService(config, options).catch(async (error) => {
    // The log lines must be written before the error is printed.
    await logger.flush()
    throw error
  })
  const instanceId = opened.service.random.traceId()
  const listening: Listening[] = []
  let background: Background | undefined
  let isDraining = false
  const drain = async (cutShort: Promise<unknown>) => {
    isDraining = true
    const { drainMs } = config
    logger.info({ seconds: drainMs / 1000 }, 'draining')
    const lastMs = Math.min(drainMs / 2, longestLastMs)
    await atMost(drainMs - lastMs, cutShort)
    // Clients with long-lived connections must move to another instance.
    for (const each of listening) each.endConnections()
    await atMost(lastMs, cutShort)
  }
  const close = async () => {
    const listeners = listening.map((each) => () => each.close(patienceMs))
    try {
      await runInOrder(
        [
          async () => {
            if (!(await isOwn(opened.service))) return
            await removeControlFile(config.dataDirectory, instanceId)
          },
        ],
        [
          ...listeners,
          () => background?.deliveries.stop(patienceMs),
          () => background?.retaining.stop(patienceMs),
          () => background?.rekeying.stop(patienceMs),
          () => background?.importing.stop(patienceMs),
          () => background?.backups?.stop(patienceMs),
          () => background?.fates?.stop(patienceMs),
          () => background?.watching?.stop(patienceMs),
        ],
        [() => opened.close()],
      )
      logger.info({}, 'stopped')
    } finally {
      await logger.flush()
    }
  }
  try {
    await prepare(opened.service)
    const bench = await startBench(opened, () => background)
    const most = connectionLimits()
    const partners = await listenAt(partnerAddress(config, most.partners))
    listening.push(partners)
    const operators = await listenForOperators(config, most.operators, listenAt)
    listening.push(operators)
    const service = opened.service
    const parts = {
      partners,
      operators,
      tokens,
      instanceId,
      logger,
      service,
      bench,
      isProcessMeasured,
      isDraining: () => isDraining,
    }
    const { metrics, urls, createSignInLink } = answer(config, parts)
    warnOfOldRuntime({ environment: config.environment, logger, now: service.clock.now() })
    const retention = new Retention(service, {
      eventSeconds: config.eventRetentionSeconds,
      logger,
      observe: metrics.observePurge,
      pause: pauseBetweenBatches,
    })
    const observe = metrics.observeDelivery
    // With the bench, deliveries of each due time are read separately.
    const pause = bench ? undefined : pauseBetweenReads
    const deliveries = startDeliveries(service, { logger, observe, pauseBetweenReads: pause })
    const fates =
      config.environment === 'staging'
        ? runFates(withAudit(service, systemAuditContext('fate')), logger)
        : undefined
    const backups = config.backup && runBackups(service, { ...config.backup, ...metrics, logger })
    const retaining = runRetention(retention, logger)
    const rekeying = runRekeying(service, logger)
    const importing = finishImports(withAudit(service, systemAuditContext('start')), logger)
    const isWatched = !config.database && adapters.isDirectoryWatched !== false
    const watching = isWatched ? watchDirectory(service, logger) : undefined
    background = { deliveries, retention, retaining, rekeying, importing, backups, fates, watching }
    const { operatorUrl: url } = urls
    const { token } = tokens
    if (!config.database) await removeUnfinishedControlFiles(config.dataDirectory)
    await writeControlFile(config.dataDirectory, { url, token, instanceId, pid: ownIdentity().pid })
    logger.info(urls, 'serving')
    // At a terminal, what the command prints next comes after these lines.
    if (isText) await logger.flush()
    return { ...urls, createSignInLink, drain, close }
  } catch (error) {
    // The reason of the failed start must not be hidden by a second error.
    await close().catch(() => undefined)
    throw error
  }
}

interface Parts {
  readonly partners: Listening
  readonly operators: Listening
  readonly tokens: OperatorTokens
  readonly instanceId: string
  readonly logger: OpenLogger
  readonly service: Service
  readonly bench: BenchControl | undefined
  readonly isProcessMeasured: boolean | undefined
  readonly isDraining: () => boolean
}

function answer(config: Config, { partners, operators, logger, isDraining, ...parts }: Parts) {
  // The base URL may depend on the free port that was picked.
  const baseUrl = baseUrlOf(config, partners.port)
  const listeningUrl = urlOf(config.https ? 'https' : 'http', config.host, partners.port)
  const operatorScheme = config.operatorHttpsFiles ? 'https' : 'http'
  const operatorUrl = urlOf(operatorScheme, config.operatorHost, operators.port)
  const service = { ...parts.service, settings: { ...parts.service.settings, baseUrl } }
  const metrics = createMetrics(service, {
    inFlight: partners.inFlight,
    build,
    isOfProcess: parts.isProcessMeasured,
  })
  const feed = new RequestFeed(service.clock)
  // The log misses no request that was served to a known caller, however many there are.
  const loggerFor = ({ status }: CompletedRequest, isKnown: boolean) =>
    isKnown && status !== 429 ? logger : logger.limited
  const observe: ObserveRequest = (answered, isKnown) => {
    metrics.observe(answered)
    feed.note(answered)
    loggerFor(answered, isKnown).info({ ...answered }, 'answered')
  }
  const { limits, trustedHops } = config
  const refusals = createProtocolErrorResponses({
    baseUrl,
    newRequestId: () => service.random.traceId(),
  })
  const { tokens, instanceId, bench: control } = parts
  const gate = control && benchGate(control.bench, service.settings.baseUrl)
  const app = createApp(service, {
    logger,
    isDraining,
    limits,
    trustedHops,
    gate,
    publicCredentials: config.demo ? demoCredentials : undefined,
    consoleUrl: `${operatorUrl}/`,
    observe,
  })
  partners.answerWith(control ? recordExchanges(app, control.bench) : app, refusals)
  const signInLinks = new SignInLinks(service.clock)
  const { operatorNames: names } = config
  const forOperators = {
    logger,
    limitedLogger: logger.limited,
    isDraining,
    metrics,
    ...tokens,
    instanceId,
    names,
    bench: control,
    feed,
    signInLinks,
    build,
    baseUrl: operatorUrl,
    files: consoleFiles,
    observe(answered: CompletedRequest, isKnown: boolean) {
      metrics.observeOperation(answered)
      if (isRoutine(answered)) return
      loggerFor(answered, isKnown).info({ ...answered }, 'answered an operator')
    },
  }
  operators.answerWith(createOperatorApp(service, forOperators), refusals)
  const createSignInLink = async () => {
    const requestId = service.random.traceId()
    const caller = { operator: localAdministrator, via: 'command', requestId } as const
    const local = serviceForOperator({ ...service, signInLinks }, caller)
    const { path } = await local.call('console.create_link', {})
    return `${operatorUrl}${path}`
  }
  return { urls: { baseUrl, listeningUrl, operatorUrl }, metrics, createSignInLink }
}

/** The libraries for files are loaded when somebody sends or asks for a file. */
export const consoleFiles: Files = {
  async readCatalogue(file, bytes) {
    const { readSentCooperatives } = await import('../read-cooperative-file.ts')
    const read = await readSentCooperatives(file, bytes)
    // Other requests get a turn before the file is compared with the catalogue.
    await nextTurn()
    return read
  },
  async writeCatalogue(definitions) {
    const { cooperativeColumns, rowsOf } = await import('../files/cooperative-table.ts')
    const { renderXlsx } = await import('../files/spreadsheet.ts')
    return renderXlsx(cooperativeColumns, rowsOf(definitions))
  },
  async *renderCsv(batches, keys) {
    const { renderCsvInParts } = await import('../output.ts')
    // Excel recognizes UTF-8 by this mark.
    let mark = '\ufeff'
    for await (const lines of renderCsvInParts(batches, keys)) {
      yield Buffer.from(`${mark}${lines}\n`)
      mark = ''
    }
  },
}

/** Requests of monitoring, the identity request before each operation, and refused floods would fill the log. */
function isRoutine({ route, status }: CompletedRequest): boolean {
  if (status === 429) return true
  return status < 400 && ['/livez', '/readyz', '/metrics', '/identity'].includes(route)
}

function partnerAddress(
  { host, port, https, httpsFiles }: Config,
  maximumConnections: number | undefined,
) {
  const where = { host, port, https: httpsFiles ?? https }
  return {
    ...where,
    ...(maximumConnections !== undefined && { maximumConnections }),
    requestTimeoutMs: requestTimeoutMs.partner,
    unreadTimeoutMs: where.https ? unreadTimeoutMs.partnerOverTls : unreadTimeoutMs.partner,
    portSetting: '--port or COOPSHARE_PORT',
    hostSetting: '--host or COOPSHARE_HOST',
  }
}

/** Without a port of its own, the operator endpoint has the port after that of the API, so that people find it again. */
async function listenForOperators(
  config: Config,
  maximumConnections: number,
  listenAt: typeof listen,
): Promise<Listening> {
  const listenOn = (port: number) => listenAt(operatorAddress(config, port, maximumConnections))
  const { port, operatorPort } = config
  if (operatorPort !== undefined) return listenOn(operatorPort)
  const next = port + 1
  if (port === 0 || next > maximumPort) return listenOn(0)
  return listenOn(next).catch((error) => {
    if (error.code !== 'PORT_UNAVAILABLE') throw error
    return listenOn(0)
  })
}

const maximumPort = 65_535

function operatorAddress(
  { operatorHost: host, operatorHttpsFiles }: Config,
  port: number,
  maximumConnections: number,
) {
  return {
    host,
    port,
    https: operatorHttpsFiles ?? false,
    requestTimeoutMs: requestTimeoutMs.operator,
    unreadTimeoutMs: unreadTimeoutMs.operator,
    maximumConnections,
    portSetting: '--operator-port or COOPSHARE_OPERATOR_PORT',
    hostSetting: '--operator-host or COOPSHARE_OPERATOR_HOST',
  }
}

interface OperatorTokens {
  readonly token: string
  /** Valid for `/metrics` only. */
  readonly metricsToken: string | undefined
}

/** Operators who cannot read the control file need a token that they set themselves. */
function operatorTokensOf({ operatorToken, metricsToken }: Config): OperatorTokens {
  return { token: operatorToken ?? randomBytes(32).toString('base64url'), metricsToken }
}

/** Whether the data directory is still the one that the service opened. */
function isOwn({ storeAdmin }: Service): Promise<boolean> {
  return storeAdmin.requireOwnFiles().then(
    () => true,
    () => false,
  )
}

type Ending = () => Promise<unknown> | undefined

/** Endings of one stage run concurrently. A failure stops nothing else and is thrown at the end. */
async function runInOrder(...stages: readonly (readonly Ending[])[]): Promise<void> {
  const outcomes: PromiseSettledResult<unknown>[] = []
  for (const stage of stages) {
    outcomes.push(...(await Promise.allSettled(stage.map(async (end) => end()))))
  }
  const failed = outcomes.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}

/** The last day of support of each major version of Node, from Node's own schedule (github.com/nodejs/Release). */
const lastDays: Readonly<Record<number, string>> = {
  20: '2026-04-30',
  21: '2024-06-01',
  22: '2027-04-30',
  23: '2025-06-01',
  24: '2028-04-30',
  25: '2026-06-01',
  26: '2029-04-30',
}

/** @returns the last day of support; undefined if support has not ended or is unknown */
export function supportEndedOn(nodeVersion: string, now: Timestamp): string | undefined {
  const lastDay = lastDays[Number.parseInt(nodeVersion, 10)]
  return lastDay !== undefined && now.slice(0, lastDay.length) > lastDay ? lastDay : undefined
}

/** Deno has its own schedule. */
export function warnOfOldRuntime(
  {
    environment,
    logger,
    now,
  }: { readonly environment: Environment; readonly logger: Logger; readonly now: Timestamp },
  { node, deno }: NodeJS.ProcessVersions = process.versions,
): void {
  if (environment !== 'production' || deno !== undefined) return
  const supportEnded = supportEndedOn(node, now)
  if (supportEnded === undefined) return
  logger.warn({ node, supportEnded }, 'this version of Node no longer gets security fixes')
}
