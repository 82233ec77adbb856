import type { H3Event, H3Plugin } from 'h3'
import type { Service } from '../usecases/service.ts'
import { authenticationOf } from './context.ts'
import { authenticate } from './middleware/authenticate.ts'
import { rateLimit } from './middleware/rate-limit.ts'
import { requirePartner } from './middleware/require-partner.ts'
import type { RateLimits } from './rate-limits.ts'
import { TokenBuckets } from './token-buckets.ts'

export interface GateOptions {
  readonly limits: RateLimits
  readonly addressOf: (event: H3Event) => string
}

/** Who may ask below /v1, in the order of DECISIONS.md, order of checks; and how often anybody may ask for pages and pictures. */
export function gate(service: Service, { limits, addressOf }: GateOptions): H3Plugin {
  const addresses = new TokenBuckets(limits.requestsPerAddress, service.clock)
  const clients = new TokenBuckets(limits.requests, service.clock)
  const limitAddresses = rateLimit({ buckets: addresses, callerOf: addressOf })
  const limitAddressesSilently = rateLimit({
    ...{ buckets: addresses, callerOf: addressOf },
    // The headers belong to /v1 (spec: Rate limit mechanics).
    isTold: false,
  })
  const limitClients = rateLimit({
    buckets: clients,
    callerOf: (event) => authenticationOf(event).clientId,
    onRefusal: (event) => addresses.giveBack(addressOf(event)),
  })
  return (app) => {
    app.use(limitAddressesSilently, largeAndPublic)
    app.use(limitAddresses, belowV1)
    app.use(authenticate(service), belowV1)
    app.use(limitClients, belowV1)
    app.use(requirePartner(), belowV1)
  }
}

/** h3 finds `/docs/` at the route of `/docs`, too. */
const largeAndPublic = {
  match: ({ url }: H3Event) => /^\/(docs\/?$|images\/)/.test(url.pathname),
}

const belowV1 = {
  match: ({ url }: H3Event) => url.pathname.startsWith('/v1/') || url.pathname === '/v1',
}
