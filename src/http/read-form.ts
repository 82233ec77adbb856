import type { H3Event } from 'h3'
import { OAuthError } from '../domain/oauth/oauth-error.ts'
import { maximumBodyBytes, readBytes } from './read-json.ts'

/** The parameters that have a value. RFC 6749 3.2: one sent without a value counts as omitted, none is there twice. */
export type Form = ReadonlyMap<string, string>

const decoder = new TextDecoder('utf-8', { fatal: true })

export async function readForm(event: H3Event): Promise<Form> {
  requireFormType(event.req.headers.get('content-type'))
  const parameters = [...new URLSearchParams(decode(await readBytes(event, maximumBodyBytes)))]
  const names = new Set(parameters.map(([name]) => name))
  if (names.size < parameters.length) throw invalidRequest('A parameter is there more than once.')
  return new Map(parameters.filter(([, value]) => value !== ''))
}

function requireFormType(contentType: string | null): void {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase()
  if (mediaType !== 'application/x-www-form-urlencoded') {
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

function invalidRequest(description: string): OAuthError {
  return new OAuthError('invalid_request', description)
}
