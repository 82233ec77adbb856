// Bearer tokens: who asks, and what they may do.
import { createLocalJWKSet, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import { Problem } from './problems.js'

export const audience = 'coopshare-clients'
const cachedTokens = 10_000

/**
 * Returns a function that verifies tokens. Each token is verified once, and its expiry is checked at
 * every use.
 */
export function createVerifier({ keySet, baseUrl }) {
  const keyOf = createLocalJWKSet(keySet)
  const options = { issuer: baseUrl, audience, algorithms: ['RS256'], requiredClaims: ['exp'] }
  const verified = new LRUCache({ max: cachedTokens })
  return async (token) => {
    const known = verified.get(token)
    if (known) return known.expiresAtMs > Date.now() ? known : undefined
    const caller = await verify(token, keyOf, options)
    if (caller) verified.set(token, caller)
    return caller
  }
}

async function verify(token, keyOf, options) {
  try {
    const { payload } = await jwtVerify(token, keyOf, options)
    return {
      clientId: payload.client_id,
      organizationId: payload.org_id,
      scopes: payload.scope.split(' '),
      expiresAtMs: payload.exp * 1000,
    }
  } catch {
    return undefined
  }
}

/**
 * Adds `request.caller` before the rate limit counts, and refuses other requests after that, so that
 * a refusal also has the headers of the limit.
 */
export function authenticate(app, verifyToken) {
  app.decorateRequest('caller', undefined)
  app.addHook('onRequest', async (request) => {
    const [, token] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? []
    if (token !== undefined) request.caller = await verifyToken(token)
  })
  app.addHook('preParsing', (request, _reply, _payload, done) => done(findRefusal(request)))
}

function findRefusal({ caller, headers, routeOptions }) {
  if (!caller) {
    const challenge = headers.authorization ? 'error="invalid_token"' : 'realm="coopshare"'
    return new Problem('UNAUTHENTICATED', 'Send a valid access token.', {
      headers: { 'www-authenticate': `Bearer ${challenge}` },
    })
  }
  const { scopes = [] } = routeOptions.config
  const missing = scopes.filter((scope) => !caller.scopes.includes(scope))
  if (missing.length === 0) return null
  const challenge = `error="insufficient_scope", scope="${scopes.join(' ')}"`
  return new Problem('INSUFFICIENT_SCOPE', `The token lacks ${missing.join(', ')}.`, {
    headers: { 'www-authenticate': `Bearer ${challenge}` },
    required_scopes: missing,
  })
}
