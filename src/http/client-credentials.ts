import type { H3Event } from 'h3'
import { OAuthError } from '../domain/oauth/oauth-error.ts'
import type { ClientCredentials } from '../usecases/oauth/authenticate-client.ts'
import type { Form } from './read-form.ts'

/** client_secret_basic or client_secret_post, never both (RFC 6749 2.3). */
export function readClientCredentials(event: H3Event, form: Form): ClientCredentials {
  const authorization = event.req.headers.get('authorization')
  const [clientId, clientSecret] = [form.get('client_id'), form.get('client_secret')]
  if (authorization === null) return requireBoth(clientId, clientSecret)
  if (clientSecret !== undefined) throw twoWays()
  const credentials = readBasic(authorization)
  // Some clients repeat their client_id in the form, which is no second way of authenticating.
  if (clientId !== undefined && clientId !== credentials.clientId) throw twoWays()
  return credentials
}

function readBasic(authorization: string): ClientCredentials {
  const [, encoded] = /^basic +(\S+)$/i.exec(authorization) ?? []
  if (encoded === undefined) throw invalidClient()
  const [, clientId = '', clientSecret = ''] = /^([^:]*):(.*)$/s.exec(decodeBase64(encoded)) ?? []
  const credentials = requireBoth(decodeFormValue(clientId), decodeFormValue(clientSecret))
  return looksUnencoded(clientSecret) ? { ...credentials, hint: notEncoded } : credentials
}

const notEncoded =
  'The credentials in the Authorization header seem not to be form-urlencoded before base64 (RFC 6749 2.3.1).'

/** A form-urlencoded text has no other characters; a plus sign would be a space, which few secrets have. */
function looksUnencoded(secret: string): boolean {
  return /\+|[^\w.~!'()*%-]|%(?![0-9a-f]{2})/i.test(secret)
}

function decodeBase64(encoded: string): string {
  return Buffer.from(encoded, 'base64').toString('utf8')
}

/** RFC 6749 2.3.1: both halves were form-urlencoded before they were joined. */
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
    'Send client_id and client_secret, by HTTP Basic or as form fields.',
  )
}

function twoWays(): OAuthError {
  return new OAuthError('invalid_request', 'Authenticate in one way: by HTTP Basic or by form.')
}
