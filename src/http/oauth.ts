import type { H3Event, H3Plugin } from 'h3'
import { OAuthError, type OAuthErrorCode } from '../domain/oauth/oauth-error.ts'
import { keySetMaxAgeSeconds } from '../domain/oauth/signing-key.ts'
import {
  authenticateClient,
  type ClientCredentials,
} from '../usecases/oauth/authenticate-client.ts'
import { grantToken } from '../usecases/oauth/issue-token.ts'
import { listPublishedKeys } from '../usecases/oauth/signing-keys.ts'
import type { Service } from '../usecases/service.ts'
import { maximumFields } from '../wire/check-shape.ts'
import {
  renderAccessToken,
  renderClientInfo,
  renderDiscovery,
  renderKeySet,
  tokenPath,
} from '../wire/oauth.ts'
import { authenticationOf } from './access-control.ts'
import { type Budget, TokenBuckets } from './rate-limits.ts'
import {
  isEncoded,
  maximumBodyBytes,
  mediaTypeOf,
  readBytes,
  repeatedContentType,
} from './read-body.ts'
import { isRepeated } from './repeated-headers.ts'

interface OAuthOptions {
  readonly tokensPerMinute: number
  readonly addressOf: (event: H3Event) => string
}

export function oauthRoutes(
  service: Service,
  { tokensPerMinute, addressOf }: OAuthOptions,
): H3Plugin {
  // spec: Limits.
  const addresses = new TokenBuckets(tokensPerMinute, service.clock)
  const clients = new TokenBuckets(tokensPerMinute, service.clock)
  const keySet = async (event: H3Event) => {
    event.res.headers.set('cache-control', `public, max-age=${keySetMaxAgeSeconds}`)
    return renderKeySet(await listPublishedKeys(service))
  }
  return (app) => {
    app.post(tokenPath, async (event) => {
      const address = addressOf(event)
      requireBudget(addresses.take(address))
      const form = await readForm(event)
      const client = await authenticateClient(service, readClientCredentials(event, form))
      const { clientId, organizationId } = client
      event.context.caller = { clientId, organizationId }
      // The budget of a client is used up only after its secret was verified, so that nobody can
      // lock a partner out. Spec gap: see DECISIONS.md, D25.
      const budget = clients.take(clientId)
      if (budget.retryAfterSeconds !== undefined) addresses.refund(address)
      requireBudget(budget)
      const [grantType, scope] = [form.get('grant_type'), form.get('scope')]
      if (grantType === undefined) refuseInQuery(event, 'grant_type', 'unsupported_grant_type')
      const token = await grantToken(service, { client, grantType, scope })
      event.res.headers.set('pragma', 'no-cache')
      return renderAccessToken(token)
    })
    app.get('/.well-known/jwks.json', keySet)
    app.get('/oauth2/jwks', keySet)
    app.get('/.well-known/oauth-authorization-server', (event) => {
      event.res.headers.set('cache-control', `public, max-age=${keySetMaxAgeSeconds}`)
      return renderDiscovery(service.settings.baseUrl)
    })
    // Needs no scope: a partner can always ask what its token may do.
    app.get('/v1/me', (event) => renderClientInfo(authenticationOf(event)))
  }
}

function requireBudget({ retryAfterSeconds }: Budget): void {
  if (retryAfterSeconds === undefined) return
  throw new OAuthError(
    'too_many_requests',
    `Too many token requests. Repeat this one in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  )
}

/** client_secret_basic or client_secret_post, never both (RFC 6749 2.3). */
function readClientCredentials(event: H3Event, form: Form): ClientCredentials {
  const authorization = event.req.headers.get('authorization')
  const [clientId, clientSecret] = [form.get('client_id'), form.get('client_secret')]
  if (isRepeated(event.req, 'authorization')) {
    throw new OAuthError('invalid_client', 'Send the header Authorization only once.')
  }
  if (authorization === null && clientSecret === undefined) {
    refuseInQuery(event, 'client_secret', 'invalid_client')
  }
  if (authorization === null && clientId === undefined) {
    refuseInQuery(event, 'client_id', 'invalid_client')
  }
  if (authorization === null) return withHint(requireBoth(clientId, clientSecret))
  if (clientSecret !== undefined) throw twoWays()
  const credentials = readBasic(authorization)
  // Some clients repeat their client_id in the form, which is not a second way of authenticating.
  if (clientId !== undefined && clientId !== credentials.clientId) throw twoWays()
  return credentials
}

function readBasic(authorization: string): ClientCredentials {
  const [, encoded] = /^basic +(\S+)$/i.exec(authorization) ?? []
  if (encoded === undefined) throw invalidClient()
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  const [, clientId = '', clientSecret = ''] = /^([^:]*):(.*)$/s.exec(pair) ?? []
  const credentials = requireBoth(decodeFormValue(clientId), decodeFormValue(clientSecret))
  // Form-urlencoded text has no other characters. A plus sign would be a space, which few secrets contain.
  const isPlain = /\+|[^\w.~!'()*%-]|%(?![0-9a-f]{2})/i.test(clientSecret.trim())
  return withHint(isPlain ? { ...credentials, hint: notEncoded } : credentials)
}

/** A file, and so a secret that a program reads from one, often ends in a newline. */
function withHint(credentials: ClientCredentials): ClientCredentials {
  const { clientId, clientSecret } = credentials
  const padded = Object.entries({ client_id: clientId, client_secret: clientSecret })
    .filter(([, value]) => value !== value.trim())
    .map(([name]) => name)
  if (padded.length === 0) return credentials
  const hint = `There is white space, such as a newline, at an end of ${padded.join(' and ')}. Send it without.`
  return { ...credentials, hint }
}

/** RFC 6749 2.3.1: parameters are sent in the body, because logs and proxies keep URLs. */
function refuseInQuery(event: H3Event, name: string, code: OAuthErrorCode): void {
  if (!event.url.searchParams.has(name)) return
  throw new OAuthError(code, `${name} is in the query. Send it in the body, as a form field.`)
}

const notEncoded =
  'The credentials in the Authorization header do not seem to be form-urlencoded before base64 (RFC 6749 2.3.1).'

/** RFC 6749 2.3.1: both halves are form-urlencoded before they are joined. */
function decodeFormValue(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '))
  } catch {
    throw new OAuthError('invalid_client', notEncoded)
  }
}

function requireBoth(clientId = '', clientSecret = ''): ClientCredentials {
  if (clientId === '' || clientSecret === '') throw invalidClient()
  return { clientId, clientSecret }
}

function invalidClient(): OAuthError {
  return new OAuthError(
    'invalid_client',
    'Send client_id and client_secret, either by HTTP Basic or as form fields.',
  )
}

function twoWays(): OAuthError {
  return invalidRequest('Authenticate in one way only: either by HTTP Basic or with form fields.')
}

/**
 * The parameters that have a value. RFC 6749 3.2: parameters without a value count as omitted,
 * and none may be repeated.
 */
type Form = ReadonlyMap<string, string>

const decoder = new TextDecoder('utf-8', { fatal: true })

async function readForm(event: H3Event): Promise<Form> {
  requireFormType(event)
  const text = decode(await readBytes(event, maximumBodyBytes))
  refuseMany(text)
  requireDecodable(text)
  const parameters = [...new URLSearchParams(text)]
  const names = new Set(parameters.map(([name]) => name))
  if (names.size < parameters.length) throw invalidRequest('Send each parameter only once.')
  return new Map(parameters.filter(([, value]) => value !== ''))
}

/** Parameters are counted before they are read: an unknown caller could send thousands, and each would cost time. */
function refuseMany(text: string): void {
  let [count, separator] = [1, text.indexOf('&')]
  while (separator >= 0 && count <= maximumFields) {
    count += 1
    separator = text.indexOf('&', separator + 1)
  }
  if (count > maximumFields)
    throw invalidRequest(`The form has more than ${maximumFields} parameters.`)
}

function requireFormType(event: H3Event): void {
  if (isEncoded(event)) throw invalidRequest('Send the body without Content-Encoding.')
  if (isRepeated(event.req, 'content-type')) throw invalidRequest(repeatedContentType)
  if (mediaTypeOf(event) !== 'application/x-www-form-urlencoded') {
    // A client that puts everything into the query has no body, and so no type of one.
    refuseInQuery(event, 'grant_type', 'invalid_request')
    throw invalidRequest('Send the body with Content-Type: application/x-www-form-urlencoded.')
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw invalidRequest('The request body is not in UTF-8.')
  }
}

/** URLSearchParams silently replaces bytes that it cannot decode, which would change the value. */
function requireDecodable(text: string): void {
  try {
    decodeURIComponent(text)
  } catch {
    throw invalidRequest('The request body is not a percent-encoded form in UTF-8.')
  }
}

function invalidRequest(description: string): OAuthError {
  return new OAuthError('invalid_request', description)
}
