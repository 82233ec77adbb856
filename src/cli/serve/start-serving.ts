import { baseUrlOf, type Config, urlOf } from '../../config.ts'
import { createApp } from '../../http/app.ts'
import { type Answered, createMetrics } from '../../http/metrics.ts'
import { createOperatorApp } from '../../http/operator.ts'
import { createRefusals } from '../../http/refusals.ts'
import { openLogger, openService } from '../../open-service.ts'
import type { Service } from '../../usecases/service.ts'
import { Dispatcher } from '../../usecases/webhooks/dispatcher.ts'
import { removeControlFile, writeControlFile } from '../control-file.ts'
import { endInOrder } from './end-in-order.ts'
import { type Listening, listen } from './listen.ts'
import { type OperatorTokens, operatorTokensOf } from './operator-tokens.ts'
import { type RunningDispatcher, runDispatcher } from './run-dispatcher.ts'

export interface Serving {
  /** Under which partners reach the service. */
  readonly baseUrl: string
  /** On this machine. */
  readonly listeningUrl: string
  readonly operatorUrl: string
  /** Finishes what is in flight; nothing that was acknowledged is lost. */
  close(): Promise<void>
}

type Prepare = (service: Service) => Promise<void>
type Logger = Awaited<ReturnType<typeof openLogger>>

/** For at most 64 KiB. Operators send fixtures with images. */
const requestTimeoutMs = { partner: 20_000, operator: 300_000 }

/** A stop may take ten seconds: what is left of them is for the store. */
const patienceMs = 6000

/** Opens the store, lets `prepare` fill it, and answers partners and operators. */
export async function startServing(config: Config, prepare: Prepare): Promise<Serving> {
  const tokens = operatorTokensOf(config)
  const logger = await openLogger(config)
  const opened = await openService(config)
  const instanceId = opened.service.random.id()
  const listening: Listening[] = []
  let dispatching: RunningDispatcher | undefined
  const close = async () => {
    const listeners = listening.map((each) => () => each.close(patienceMs))
    try {
      await endInOrder(
        [() => removeControlFile(config.dataDirectory, instanceId)],
        [...listeners, () => dispatching?.stop(patienceMs)],
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
    const parts = { partners, operators, tokens, instanceId, logger, service }
    const { metrics, ...urls } = answer(config, parts)
    const dispatcher = new Dispatcher(service, { logger, observe: metrics.observeDelivery })
    dispatching = runDispatcher(service, dispatcher)
    const { operatorUrl: url } = urls
    const { token } = tokens
    await writeControlFile(config.dataDirectory, { url, token, instanceId, pid: process.pid })
    logger.info(urls, 'serving')
    return { ...urls, close }
  } catch (error) {
    // Why it could not start is what somebody has to know.
    await close().catch(() => undefined)
    throw error
  }
}

interface Parts {
  readonly partners: Listening
  readonly operators: Listening
  readonly tokens: OperatorTokens
  readonly instanceId: string
  readonly logger: Logger
  readonly service: Service
}

function answer(config: Config, { partners, operators, logger, ...parts }: Parts) {
  // Only now is it known which free port was taken.
  const baseUrl = baseUrlOf(config, partners.port)
  const listeningUrl = urlOf(config.https ? 'https' : 'http', config.host, partners.port)
  const operatorUrl = urlOf('http', config.operatorHost, operators.port)
  const service = { ...parts.service, settings: { ...parts.service.settings, baseUrl } }
  const metrics = createMetrics(service)
  const observe = (answered: Answered) => {
    metrics.observe(answered)
    logger.info({ ...answered }, 'answered')
  }
  const { limits, trustedHops } = config
  const refusals = createRefusals({ baseUrl, newRequestId: () => service.random.id() })
  partners.answerWith(createApp(service, { logger, limits, trustedHops, observe }), refusals)
  const { tokens, instanceId } = parts
  const forOperators = { logger, metrics, ...tokens, instanceId, baseUrl: operatorUrl }
  operators.answerWith(createOperatorApp(service, forOperators), refusals)
  return { baseUrl, listeningUrl, operatorUrl, metrics }
}

function partnerAddress({ host, port, https, httpsFiles }: Config) {
  const where = { host, port, https: httpsFiles ?? https }
  return { ...where, requestTimeoutMs: requestTimeoutMs.partner, portFlag: '--port' }
}

function operatorAddress({ operatorHost: host, operatorPort: port }: Config) {
  const where = { host, port, https: false }
  return { ...where, requestTimeoutMs: requestTimeoutMs.operator, portFlag: '--operator-port' }
}
