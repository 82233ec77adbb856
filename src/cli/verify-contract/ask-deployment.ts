import { ofetch } from 'ofetch'
import { v4 } from 'uuid'
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
  const requestId = `contract-verify-${v4()}`
  const { status, headers, _data: text = '' } = await send(url, question, requestId)
  return { status, headers, text, body: parsed(text), requestId }
}

async function send(url: string, question: Question, requestId: string) {
  const { method, path, headers = {}, body } = question
  try {
    return await ofetch.raw<string, 'text'>(`${url}${path}`, {
      method,
      headers: { ...headers, 'x-request-id': requestId },
      ...(body !== undefined && { body: body as Record<string, unknown> }),
      retry: 0,
      timeout: 30_000,
      redirect: 'manual',
      ignoreResponseError: true,
      responseType: 'text',
    })
  } catch (cause) {
    // Not only a FetchError: an answer that breaks off within its body is none.
    throw new Problem('SERVICE_UNAVAILABLE', `No service answers at ${url}. Is it running?`, {
      cause,
    })
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
