// The token endpoint and what partners need to verify tokens.
import { createHash, timingSafeEqual } from 'node:crypto'
import formbody from '@fastify/formbody'
import { importJWK, SignJWT } from 'jose'
import { audience } from './authentication.js'

const lifetimeSeconds = 900
const algorithm = 'RS256'
const publicMinutes = 'public, max-age=300'

export const sha256 = (text) => createHash('sha256').update(text).digest()

class OAuthError extends Error {
  constructor(error, description, status = 400) {
    super(description)
    this.error = error
    this.status = status
  }
}

export async function tokens(app, { store, keySet, privateJwk, baseUrl, allScopes }) {
  const privateKey = await importJWK(privateJwk, algorithm)
  await app.register(formbody)

  app.setErrorHandler((error, _request, reply) => {
    const { status = error.statusCode ?? 500, error: code = 'invalid_request' } = error
    return reply
      .code(status)
      .header('cache-control', 'no-store')
      .send({ error: code, error_description: error.message })
  })

  app.post('/oauth2/token', async ({ headers, body }, reply) => {
    const form = body ?? {}
    const client = await requireClient(store, readCredentials(headers, form))
    if (form.grant_type !== 'client_credentials') {
      throw new OAuthError('unsupported_grant_type', 'grant_type must be client_credentials.')
    }
    const scope = chooseScopes(client, form.scope).join(' ')
    const token = await new SignJWT({
      ...{ client_id: client.client_id, org_id: client.organization_id },
      ...{ token_type: 'client', scope },
    })
      .setProtectedHeader({ alg: algorithm, kid: keySet.keys[0].kid })
      .setIssuer(baseUrl)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime(`${lifetimeSeconds} s`)
      .sign(privateKey)
    return reply
      .headers({ 'cache-control': 'no-store', pragma: 'no-cache' })
      .send({ access_token: token, token_type: 'Bearer', expires_in: lifetimeSeconds, scope })
  })

  for (const path of ['/.well-known/jwks.json', '/oauth2/jwks']) {
    app.get(path, (_request, reply) => reply.header('cache-control', publicMinutes).send(keySet))
  }

  app.get('/.well-known/oauth-authorization-server', (_request, reply) =>
    reply.header('cache-control', publicMinutes).send({
      issuer: baseUrl,
      token_endpoint: `${baseUrl}/oauth2/token`,
      jwks_uri: `${baseUrl}/.well-known/jwks.json`,
      scopes_supported: allScopes,
      response_types_supported: [],
      grant_types_supported: ['client_credentials'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    }),
  )
}

function readCredentials(
  { authorization = '' },
  { client_id: id = '', client_secret: secret = '' },
) {
  const [, basic] = /^Basic (\S+)$/i.exec(authorization) ?? []
  if (basic === undefined) return { id, secret }
  const [ofHeader, ...rest] = Buffer.from(basic, 'base64').toString().split(':')
  return { id: decodeURIComponent(ofHeader), secret: decodeURIComponent(rest.join(':')) }
}

/** A secret has at least 128 random bits, so it needs no slow hash. */
async function requireClient(store, { id, secret }) {
  const client = await store.findClient(id)
  if (client && timingSafeEqual(sha256(secret), Buffer.from(client.secret_sha256, 'hex'))) {
    return client
  }
  throw new OAuthError('invalid_client', 'The client or its secret is wrong.', 401)
}

function chooseScopes({ scopes }, wanted) {
  if (!wanted) return scopes
  const chosen = wanted.split(' ').filter(Boolean)
  const refused = chosen.find((scope) => !scopes.includes(scope))
  if (refused === undefined) return chosen
  const held = scopes.join(' ')
  throw new OAuthError('invalid_scope', `The client lacks ${refused}; it has ${held}.`)
}
