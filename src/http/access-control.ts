import type { H3Event, H3Plugin, Middleware } from 'h3'
import type { Caller, ClientKind } from '../domain/oauth/client.ts'
import type { Scope } from '../domain/oauth/scope.ts'
import type { ActingOperator } from '../domain/operators/operator.ts'
import { Problem } from '../domain/problem.ts'
import type { RateLimits } from '../domain/rate-limits.ts'
import { withAudit } from '../usecases/audit/record-audit.ts'
import { createAuthenticator } from '../usecases/oauth/authenticate-token.ts'
import type { Service } from '../usecases/service.ts'
import { tokenPath } from '../wire/oauth.ts'
import { operationIdOf } from './operation-ids.ts'
import { type Budget, rateLimit, TokenBuckets } from './rate-limits.ts'
import { isRepeated } from './repeated-headers.ts'

/** The facts that the middleware knows about the caller of a request. */
interface Authentication extends Caller {
  readonly clientName: string | null
  readonly kind: ClientKind
  readonly tokenScopes: readonly Scope[]
  readonly grantedScopes: readonly Scope[]
}

declare module 'h3' {
  interface H3EventContext {
    requestId?: string
    startedMs?: number
    authentication?: Authentication
    /** The client that authenticated at the token endpoint. */
    caller?: Caller
    /** The name of the operator's operation. */
    operation?: string
    /** The code of the problem or OAuth error in the response. */
    problemCode?: string
    budget?: Budget
    /** The request headers on which each answer at this path depends, even a problem. */
    vary?: string
    allowedMethods?: readonly string[]
    /** Who sends a request to the operator endpoint. */
    operator?: ActingOperator | undefined
    /** Digest of the signed body; undefined if the request is not signed. */
    signedDigest?: string
  }
}

/** Only for routes below /v1 and /sandbox, which require authentication. */
export function authenticationOf(event: H3Event): Authentication {
  const { authentication } = event.context
  if (!authentication) throw new Error('This route is not in the authenticated part of the API.')
  return authentication
}

/** Returns a service whose audit records each change as one by the client of the request. */
export function actingFor(service: Service, event: H3Event): Service {
  const { clientId: id, clientName } = authenticationOf(event)
  const { matchedRoute, requestId = null } = event.context
  return withAudit(service, {
    actor: { kind: 'client', id, name: clientName ?? id, role: null },
    via: 'api',
    operation: operationIdOf(event.req.method, matchedRoute?.route ?? '') ?? 'unknown',
    requestId,
  })
}

interface AccessControlOptions {
  readonly limits: RateLimits
  readonly addressOf: (event: H3Event) => string
  /** Whether a request comes from this machine. */
  readonly isFromHere: (event: H3Event) => boolean
}

/**
 * Authentication and rate limits below /v1, in the order of DECISIONS.md, D16, and the rate limit of everything else. In
 * staging, the same rules apply below /sandbox, where only organizations with self-service get further.
 */
export function accessControl(
  service: Service,
  { limits, addressOf, isFromHere }: AccessControlOptions,
): H3Plugin {
  const isStaging = service.settings.environment === 'staging'
  const isInSandbox = ({ url }: H3Event) => isStaging && isBelow('/sandbox', url)
  const isForPartners = (event: H3Event) => isBelow('/v1', event.url) || isInSandbox(event)
  const addresses = new TokenBuckets(limits.requestsPerAddress, service.clock)
  const clients = new TokenBuckets(limits.requests, service.clock)
  const ofAddress = { buckets: addresses, callerOf: addressOf }
  const limitAddresses = rateLimit(ofAddress)
  // Public pages have no rate limit headers (spec: Rate limit mechanics).
  const limitAddressesSilently = rateLimit({ ...ofAddress, hasHeaders: false })
  const limitClients = rateLimit({
    buckets: clients,
    callerOf: (event) => authenticationOf(event).clientId,
    onRefusal: (event) => addresses.refund(addressOf(event)),
  })
  const authenticate = createAuthentication(service)
  return (app) => {
    app.use(limitAddressesSilently, {
      match: (event) =>
        !isForPartners(event) && !hasOwnLimit(event) && !(isProbe(event) && isFromHere(event)),
    })
    // One middleware for all of them, because h3 takes as long for each one as most of them take.
    const admitPartner = async (event: H3Event) => {
      limitAddresses(event)
      await authenticate(event)
      limitClients(event)
      if (authenticationOf(event).kind !== 'partner') {
        throw new Problem(
          'FORBIDDEN',
          'This client does not belong to a partner. Other scopes do not help.',
        )
      }
      if (isInSandbox(event)) await requireSelfService(service, event)
    }
    app.use(admitPartner, { match: isForPartners })
  }
}

/** Token requests have a lower limit (spec: Limits). */
function hasOwnLimit({ req, context }: H3Event): boolean {
  return req.method === 'POST' && context.matchedRoute?.route === tokenPath
}

/** A flood must not make a supervisor of this machine believe that the service is dead. */
function isProbe({ context }: H3Event): boolean {
  return ['/livez', '/readyz'].includes(context.matchedRoute?.route ?? '')
}

function isBelow(path: string, { pathname }: URL): boolean {
  return pathname.startsWith(`${path}/`) || pathname === path
}

/** RFC 6750 2.1; undefined without a token. */
export function bearerToken(event: H3Event): string | undefined {
  const authorization = event.req.headers.get('authorization') ?? ''
  return /^bearer +(\S.*)$/i.exec(authorization)?.[1]
}

/** Only authenticates; other functions decide what is allowed. */
function createAuthentication(service: Service) {
  const holderOf = createAuthenticator(service)
  return async (event: H3Event) => {
    const token = bearerToken(event)
    if (!token) {
      throw new Problem('UNAUTHENTICATED', 'Send an access token: Authorization: Bearer <token>.')
    }
    if (isRepeated(event.req, 'authorization')) {
      throw new Problem('UNAUTHENTICATED', 'Send the header Authorization only once.')
    }
    const { client, tokenScopes } = await holderOf(token)
    const { clientId, organizationId, name: clientName, kind, grantedScopes } = client
    event.context.authentication = {
      clientId,
      organizationId,
      clientName,
      kind,
      grantedScopes,
      tokenScopes,
    }
  }
}

async function requireSelfService({ store }: Service, event: H3Event): Promise<void> {
  const { organizationId } = authenticationOf(event)
  const organization = await store.read(({ organizations }) => organizations.get(organizationId))
  if (organization?.selfService) return
  throw new Problem(
    'FORBIDDEN',
    'Your organization may not decide its own orders here. The operator can allow it: `coopshare organization update --self-service`.',
  )
}

/** Middleware of a route: throws INSUFFICIENT_SCOPE unless the token has all scopes. */
export function requireScope(...requiredScopes: readonly Scope[]): Middleware {
  return (event) => {
    const { tokenScopes } = authenticationOf(event)
    const missing = requiredScopes.filter((scope) => !tokenScopes.includes(scope))
    if (missing.length > 0) {
      const lack = `The access token lacks ${missing.join(' and ')}.`
      throw new Problem('INSUFFICIENT_SCOPE', lack, { requiredScopes })
    }
  }
}
