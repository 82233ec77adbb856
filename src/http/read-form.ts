import type { H3Event } from 'h3'
import { OAuthError } from '../domain/oauth/oauth-error.ts'
import { isEncoded, maximumBodyBytes, mediaTypeOf, readBytes } from './read-json.ts'

/** The parameters that have a value. RFC 6749 3.2: one sent without a value counts as omitted, none is there twice. */
export type Form = ReadonlyMap<string, string>

const decoder = new TextDecoder('utf-8', { fatal: true })

export async function readForm(event: H3Event): Promise<Form> {
  requireFormType(event)
  const text = decode(await readBytes(event, maximumBodyBytes))
  requireDecodable(text)
  const parameters = [...new URLSearchParams(text)]
  const names = new Set(parameters.map(([name]) => name))
  if (names.size < parameters.length) throw invalidRequest('A parameter is there more than once.')
  return new Map(parameters.filter(([, value]) => value !== ''))
}

function requireFormType(event: H3Event): void {
  if (isEncoded(event)) throw invalidRequest('Send the body without Content-Encoding.')
  if (mediaTypeOf(event) !== 'application/x-www-form-urlencoded') {
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

/** URLSearchParams puts another character in the place of what it cannot decode; here that would be another value. */
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
