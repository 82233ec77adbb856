import { setTimeout as pause } from 'node:timers/promises'
import { baseUrlOf, type Config, urlOf } from '../../config.ts'
import { createApp } from '../../http/app.ts'
import { type Answered, createMetrics } from '../../http/metrics.ts'
import { createOperatorApp } from '../../http/operator.ts'
import { createRefusals } from '../../http/refusals.ts'
import { openLogger, openService } from '../../open-service.ts'
import { Retention } from '../../usecases/retention.ts'
import type { Service } from '../../usecases/service.ts'
import { Dispatcher } from '../../usecases/webhooks/dispatcher.ts'
import { removeControlFile, writeControlFile } from '../control-file.ts'
import { build } from '../program/build.ts'
import { endInOrder } from './end-in-order.ts'
import { type Listening, listen } from './listen.ts'
import { type OperatorTokens, operatorTokensOf } from './operator-tokens.ts'
import { type RunningDispatcher, runDispatcher } from './run-dispatcher.ts'
import { pauseBetweenBatches, type RunningRetention, runRetention } from './run-retention.ts'
import { warnOfOldRuntime } from './runtime-support.ts'

export interface Serving {
  /** Under which partners reach the service. */
  readonly baseUrl: string
  /** On this machine. */
  readonly listeningUrl: string
  readonly operatorUrl: string
  /**
   * Says that it is not ready, so that a balancer sends requests elsewhere, and goes on answering: for as long as the
   * settings say, or until `cutShort`.
   */
  drain(cutShort: Promise<unknown>): Promise<void>
  /** Finishes what is in flight; nothing that was acknowledged is lost. */
  close(): Promise<void>
}

type Prepare = (service: Service) => Promise<void>
type Logger = Awaited<ReturnType<typeof openLogger>>

/** For at most 64 KiB. Operators send fixtures with images. */
const requestTimeoutMs = { partner: 20_000, operator: 300_000 }

/** A stop may take ten seconds: what is left of them is for the store. */
const patienceMs = 6000

/** Of a drain, how long at most answers end their connections. */
const longestLastMs = 1000

/** Opens the store, lets `prepare` fill it, and answers partners and operators. */
export async function startServing(config: Config, prepare: Prepare): Promise<Serving> {
  const tokens = operatorTokensOf(config)
  const logger = await openLogger(config)
  logger.info({ ...build }, 'starting')
  const onWait = (error: unknown) => {
    logger.warn({ seconds: config.databaseWaitMs / 1000, error }, 'waiting for the database')
  }
  const patience = { longestMs: config.databaseWaitMs, onWait }
  const opened = await openService(config, { isServed: true, patience }).catch(async (error) => {
    // Why it ends is said after what was said before.
    await logger.flush()
    throw error
  })
  const instanceId = opened.service.random.id()
  const listening: Listening[] = []
  let dispatching: RunningDispatcher | undefined
  let retaining: RunningRetention | undefined
  let isDraining = false
  const drain = async (cutShort: Promise<unknown>) => {
    isDraining = true
    const { drainMs } = config
    logger.info({ seconds: drainMs / 1000 }, 'draining')
    const lastMs = Math.min(drainMs / 2, longestLastMs)
    await pauseUnless(cutShort, drainMs - lastMs)
    // Clients that keep a connection open for long have to change to another one.
    for (const each of listening) each.endConnections()
    await pauseUnless(cutShort, lastMs)
  }
  const close = async () => {
    const listeners = listening.map((each) => () => each.close(patienceMs))
    try {
      await endInOrder(
        [() => removeControlFile(config.dataDirectory, instanceId)],
        [...listeners, () => dispatching?.stop(patienceMs), () => retaining?.stop()],
        [() => opened.close()],
      )
      logger.info({}, 'stopped')
    } finally {
      await logger.flush()
    }
  }
  try {
    await prepare(opened.service)
    const partners = await listen(partnerAddress(config))
    listening.push(partners)
    const operators = await listen(operatorAddress(config))
    listening.push(operators)
    const service = opened.service
    const parts = {
      ...{ partners, operators, tokens, instanceId, logger, service },
      isDraining: () => isDraining,
    }
    const { metrics, ...urls } = answer(config, parts)
    warnOfOldRuntime({ environment: config.environment, logger, now: service.clock.now() })
    const dispatcher = new Dispatcher(service, { logger, observe: metrics.observeDelivery })
    dispatching = runDispatcher(service, dispatcher)
    const retention = new Retention(service, {
      eventSeconds: config.eventRetentionSeconds,
      logger,
      observe: metrics.observePurge,
      pause: pauseBetweenBatches,
    })
    retaining = runRetention(retention, logger)
    const { operatorUrl: url } = urls
    const { token } = tokens
    await writeControlFile(config.dataDirectory, { url, token, instanceId, pid: process.pid })
    logger.info(urls, 'serving')
    return { ...urls, drain, close }
  } catch (error) {
    // Why it could not start is what somebody has to know.
    await close().catch(() => undefined)
    throw error
  }
}

async function pauseUnless(cutShort: Promise<unknown>, ms: number): Promise<void> {
  const over = new AbortController()
  await Promise.race([
    cutShort,
    pause(ms, undefined, { signal: over.signal }).catch(() => undefined),
  ])
  over.abort()
}

interface Parts {
  readonly partners: Listening
  readonly operators: Listening
  readonly tokens: OperatorTokens
  readonly instanceId: string
  readonly logger: Logger
  readonly service: Service
  readonly isDraining: () => boolean
}

function answer(config: Config, { partners, operators, logger, isDraining, ...parts }: Parts) {
  // Only now is it known which free port was taken.
  const baseUrl = baseUrlOf(config, partners.port)
  const listeningUrl = urlOf(config.https ? 'https' : 'http', config.host, partners.port)
  const operatorUrl = urlOf('http', config.operatorHost, operators.port)
  const service = { ...parts.service, settings: { ...parts.service.settings, baseUrl } }
  const metrics = createMetrics(service, { underWay: partners.underWay, build })
  const observe = (answered: Answered) => {
    metrics.observe(answered)
    logger.info({ ...answered }, 'answered')
  }
  const { limits, trustedHops } = config
  const refusals = createRefusals({ baseUrl, newRequestId: () => service.random.id() })
  partners.answerWith(
    createApp(service, { logger, isDraining, limits, trustedHops, observe }),
    refusals,
  )
  const { tokens, instanceId } = parts
  const { operatorNames: names } = config
  const forOperators = {
    ...{ logger, isDraining, metrics, ...tokens, instanceId, names },
    baseUrl: operatorUrl,
    observe(answered: Answered) {
      if (!isRoutine(answered)) logger.info({ ...answered }, 'answered an operator')
    },
  }
  operators.answerWith(createOperatorApp(service, forOperators), refusals)
  return { baseUrl, listeningUrl, operatorUrl, metrics }
}

/** What monitoring asks every few seconds, each command before its operation, and callers that send wrong tokens too fast. */
function isRoutine({ route, status }: Answered): boolean {
  if (status === 429) return true
  return status < 400 && ['/livez', '/readyz', '/metrics', '/identity'].includes(route)
}

function partnerAddress({ host, port, https, httpsFiles }: Config) {
  const where = { host, port, https: httpsFiles ?? https }
  return { ...where, requestTimeoutMs: requestTimeoutMs.partner, portFlag: '--port' }
}

function operatorAddress({ operatorHost: host, operatorPort: port }: Config) {
  const where = { host, port, https: false }
  return { ...where, requestTimeoutMs: requestTimeoutMs.operator, portFlag: '--operator-port' }
}
