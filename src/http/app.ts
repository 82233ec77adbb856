import { H3, type H3Event } from 'h3'
import type { Logger } from '../ports/logger.ts'
import type { Service } from '../usecases/service.ts'
import { answering } from './answering.ts'
import { callingAddress } from './calling-address.ts'
import { contractRoutes } from './contract.ts'
import { cooperativeRoutes } from './cooperatives.ts'
import { gate } from './gate.ts'
import { healthRoutes } from './health.ts'
import { holdingRoutes } from './holdings.ts'
import { imageRoutes } from './images.ts'
import { investorRoutes } from './investors.ts'
import { meRoutes } from './me.ts'
import type { Answered } from './metrics.ts'
import { measureHead } from './middleware/measure-head.ts'
import { requireRoute } from './middleware/require-route.ts'
import { oauthRoutes } from './oauth.ts'
import { problemPageRoutes } from './problem-pages.ts'
import { type RateLimits, specifiedLimits } from './rate-limits.ts'
import { referencePageRoutes } from './reference-page.ts'
import { sharePurchaseRoutes } from './share-purchases.ts'

export interface AppOptions {
  readonly logger: Logger
  /** Whether the service is about to stop: then it is not ready, and still answers. */
  readonly isDraining?: () => boolean
  readonly limits?: RateLimits
  /** How many proxies of ours stand in front. */
  readonly trustedHops?: number
  /** Called with every answer. */
  readonly observe?: (answered: Answered) => void
}

/** The partner API: what every answer has, who may ask below /v1, and all routes. */
export function createApp(service: Service, options: AppOptions): H3 {
  const { logger, limits = specifiedLimits, trustedHops = 0, observe } = options
  const { clock, random, settings } = service
  const addressOf = (event: H3Event) => callingAddress(event, trustedHops)
  const app = new H3(answering({ baseUrl: settings.baseUrl, clock, random, logger, observe }))
  return app
    .register(gate(service, { limits, addressOf }))
    .use(requireRoute(app))
    .use(measureHead(), { method: 'HEAD' })
    .register(healthRoutes(service, options.isDraining))
    .register(contractRoutes(settings.baseUrl))
    .register(referencePageRoutes(settings.baseUrl))
    .register(problemPageRoutes())
    .register(oauthRoutes(service, { tokensPerMinute: limits.tokens, addressOf }))
    .register(meRoutes())
    .register(cooperativeRoutes(service))
    .register(imageRoutes(service))
    .register(investorRoutes(service))
    .register(sharePurchaseRoutes(service))
    .register(holdingRoutes(service))
}
