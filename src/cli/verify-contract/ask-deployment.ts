import { Readable } from 'node:stream'
import { ofetch } from 'ofetch'
import { v4 } from 'uuid'
import type { Answer } from './pinned-contract.ts'
import { readBody } from './read-body.ts'

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

export class NoAnswer extends Error {}

export type Ask = (question: Question) => Promise<Answer | NoAnswer>

/** The time is that of the whole answer, its body too. */
export function asking(url: string, timeoutSeconds: number): Ask {
  return async (question) => {
    const requestId = `contract-verify-${v4()}`
    const signal = AbortSignal.timeout(timeoutSeconds * 1000)
    try {
      const { status, headers, _data } = await send(url, question, requestId, signal)
      const address = new URL(`${url}${question.path}`)
      const read = await readBody(_data ?? Readable.from([]))
      return { status, headers, ...read, requestId, address }
    } catch (cause) {
      const why = signal.aborted ? `${timeoutSeconds} s had passed` : 'the connection broke off'
      return new NoAnswer(why, { cause: signal.aborted ? signal.reason : cause })
    }
  }
}

export function isTimeOut({ cause }: NoAnswer): boolean {
  return cause instanceof Error && cause.name === 'TimeoutError'
}

function send(
  url: string,
  { method, path, headers = {}, body }: Question,
  requestId: string,
  signal: AbortSignal,
) {
  return ofetch.raw<never, 'stream'>(`${url}${path}`, {
    method,
    headers: { ...headers, 'x-request-id': requestId },
    ...(body !== undefined && { body: body as Record<string, unknown> }),
    retry: 0,
    signal,
    redirect: 'manual',
    ignoreResponseError: true,
    responseType: 'stream',
  })
}

export function askForToken(ask: Ask, { clientId, clientSecret }: Deployment) {
  // RFC 6749 section 2.3.1: both are form-encoded before they are joined.
  const credentials = [clientId, clientSecret].map(encodeURIComponent).join(':')
  return ask({
    method: 'POST',
    path: '/oauth2/token',
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
}
