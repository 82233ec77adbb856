import { H3, type H3Event, type Middleware } from 'h3'
import { type RateLimits, specifiedLimits } from '../domain/rate-limits.ts'
import type { Logger } from '../ports/logger.ts'
import type { Service } from '../usecases/service.ts'
import { accessControl } from './access-control.ts'
import { createAppConfig, measureHead, requireRoute } from './app-config.ts'
import { contractFileRoutes } from './contract-files.ts'
import { cooperativeRoutes } from './cooperatives.ts'
import { guideRoutes } from './guide/routes.ts'
import { healthRoutes } from './health.ts'
import { homePage } from './home-page.ts'
import { imageRoutes } from './images.ts'
import { investorRoutes } from './investors.ts'
import { logoRoutes } from './logo.ts'
import { oauthRoutes } from './oauth.ts'
import { problemPageRoutes } from './problem-pages.ts'
import { requireEncodedPath } from './query.ts'
import { clientAddress, isLoopback } from './rate-limits.ts'
import { type Calls, contractPageRoutes } from './reference-page.ts'
import type { ObserveRequest } from './request-metrics.ts'
import { sandboxRoutes } from './sandbox/routes.ts'
import { sharePurchaseRoutes } from './share-purchases.ts'

export interface AppOptions {
  readonly logger: Logger
  /** Whether the service is about to stop. A stopping service is not ready, but still responds. */
  readonly isDraining?: () => boolean
  /** Those that are left out are the specified ones. */
  readonly limits?: Partial<RateLimits>
  /** The number of trusted proxies in front of the service. */
  readonly trustedHops?: number
  /** Comes after authentication; it may answer instead of a route. */
  readonly gate?: Middleware | undefined
  /** Credentials that everybody knows, which the reference page in staging uses. */
  readonly publicCredentials?: Calls['credentials']
  /** The console, which the first page names beside these credentials. */
  readonly consoleUrl?: string
  /** Called after every response. */
  readonly observe?: ObserveRequest
}

/** The partner API with all its routes. */
export function createApp(service: Service, options: AppOptions): H3 {
  const { logger, trustedHops = 0, publicCredentials: credentials, consoleUrl, observe } = options
  const limits = { ...specifiedLimits, ...options.limits }
  const { clock, random, settings } = service
  const addressOf = (event: H3Event) => clientAddress(event, trustedHops)
  const isFromHere = (event: H3Event) => isLoopback(event, trustedHops)
  const calls: Calls | undefined =
    settings.environment === 'staging' ? { kind: 'client', credentials } : undefined
  const app = new H3(createAppConfig({ baseUrl: settings.baseUrl, clock, random, logger, observe }))
  app.register(accessControl(service, { limits, addressOf, isFromHere }))
  app.use(requireEncodedPath)
  if (options.gate) app.use(options.gate)
  return app
    .use(homePage(settings, credentials && { ...credentials, consoleUrl }))
    .use(requireRoute(app))
    .use(measureHead, { method: 'HEAD' })
    .register(healthRoutes(service, options.isDraining))
    .register(contractFileRoutes(settings.baseUrl))
    .register(contractPageRoutes(settings.baseUrl, calls))
    .register(problemPageRoutes())
    .register(guideRoutes())
    .register(logoRoutes())
    .register(oauthRoutes(service, { tokensPerMinute: limits.tokens, addressOf }))
    .register(cooperativeRoutes(service))
    .register(imageRoutes(service))
    .register(investorRoutes(service))
    .register(sharePurchaseRoutes(service))
    .register(sandboxRoutes(service))
}
