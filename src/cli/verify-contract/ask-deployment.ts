import { FetchError, ofetch } from 'ofetch'
import { Problem } from '../../domain/problem.ts'
import type { Answer } from './pinned-contract.ts'

export interface Question {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export interface Deployment {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
}

export async function askDeployment(url: string, question: Question): Promise<Answer> {
  const { method, path, headers = {}, body } = question
  try {
    const answer = await ofetch.raw(`${url}${path}`, {
      method,
      headers: { ...headers },
      ...(body !== undefined && { body: body as Record<string, unknown> }),
      retry: 0,
      timeout: 30_000,
      redirect: 'manual',
      ignoreResponseError: true,
      responseType: 'text',
    })
    const { status, headers: told, _data: text = '' } = answer
    return { status, headers: told, text, body: parsed(text) }
  } catch (error) {
    throw error instanceof FetchError ? unreachable(url, error) : error
  }
}

export function askForToken({ url, clientId, clientSecret }: Deployment): Promise<Answer> {
  // RFC 6749 section 2.3.1: both are form-encoded before they are joined.
  const credentials = [clientId, clientSecret].map(encodeURIComponent).join(':')
  return askDeployment(url, {
    method: 'POST',
    path: '/oauth2/token',
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function unreachable(url: string, cause: FetchError): Problem {
  return new Problem('SERVICE_UNAVAILABLE', `No service answers at ${url}. Is it running?`, {
    cause,
  })
}
