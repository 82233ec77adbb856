import { Readable } from 'node:stream'
import { ofetch } from 'ofetch'
import { v4 } from 'uuid'
import { readAtMost } from '../../cli/files/read-file.ts'
import { parseJsonOrText } from '../../domain/text.ts'

interface DeploymentRequest {
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

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed JSON, or the text if it is not JSON. */
  readonly body: unknown
  /** Why the body was not read; then text and body are empty. */
  readonly unread?: string
  readonly requestId: string
  readonly address: URL
}

export class NoAnswer extends Error {}

export type Send = (request: DeploymentRequest) => Promise<Answer | NoAnswer>

/** The time limit covers the whole response with its body. */
export function createClient(url: string, timeoutSeconds: number): Send {
  return async (request) => {
    const requestId = `contract-verify-${v4()}`
    const signal = AbortSignal.timeout(timeoutSeconds * 1000)
    try {
      const { method, path, body } = request
      const answer = await ofetch.raw<never, 'stream'>(`${url}${path}`, {
        method,
        headers: { ...request.headers, 'x-request-id': requestId },
        ...(body !== undefined && { body: body as Record<string, unknown> }),
        retry: 0,
        signal,
        redirect: 'manual',
        ignoreResponseError: true,
        responseType: 'stream',
      })
      const { status, headers, _data } = answer
      const address = new URL(`${url}${path}`)
      const read = await readBody(_data ?? Readable.from([]))
      return { status, headers, ...read, requestId, address }
    } catch (cause) {
      const why = signal.aborted ? `${timeoutSeconds} s have passed` : 'the connection was lost'
      return new NoAnswer(why, { cause: signal.aborted ? signal.reason : cause })
    }
  }
}

export function isTimeOut({ cause }: NoAnswer): boolean {
  return cause instanceof Error && cause.name === 'TimeoutError'
}

export function requestToken(send: Send, { clientId, clientSecret }: Deployment) {
  // RFC 6749 section 2.3.1: id and secret are form-encoded before they are joined.
  const credentials = [clientId, clientSecret].map(encodeURIComponent).join(':')
  return send({
    method: 'POST',
    path: '/oauth2/token',
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
}

/** Our own bodies have at most 1 MiB, which is the limit of an image. */
const maximumMebibytes = 8

type ReadBody = Pick<Answer, 'text' | 'body' | 'unread'>

/** Reading stops at the limit, which also closes the connection. */
export async function readBody(stream: AsyncIterable<Uint8Array>): Promise<ReadBody> {
  const bytes = await readAtMost(stream, maximumMebibytes * 1024 * 1024)
  if (!bytes) return unread(`the body has more than ${maximumMebibytes} MiB`)
  const text = new TextDecoder().decode(bytes)
  const body = parseJsonOrText(text)
  const oversize = findOversize(body)
  return oversize === undefined ? { text, body } : unread(`the body ${oversize}`)
}

function unread(why: string): ReadBody {
  return { text: '', body: '', unread: why }
}

/** Our own bodies have less than half of this number of levels. Deeper bodies could overflow the stack of a check. */
const maximumLevels = 100
/** Our own lists have at most 100 items. */
const maximumEntries = 200

/** A foreign body can have any size, and checking each part takes time. */
export function findOversize(body: unknown, levels = maximumLevels): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  if (levels === 0) return `is nested more than ${maximumLevels} levels deep`
  const entries = Array.isArray(body) ? body : Object.values(body)
  if (entries.length > maximumEntries) {
    return `has more than ${maximumEntries} fields or entries in one place`
  }
  for (const entry of entries) {
    const found = findOversize(entry, levels - 1)
    if (found !== undefined) return found
  }
  return undefined
}

export function explainNoAnswer({ cause }: NoAnswer, url: string): string {
  const { code = '', message = '' } = findCoded(cause) ?? {}
  if (/^(CERT_|ERR_TLS_|UNABLE_TO_)|SELF_SIGNED/.test(code)) {
    return `The certificate of ${url} is not trusted: ${message} (${code}). Set NODE_EXTRA_CA_CERTS to its authority, or correct the address.`
  }
  if (/^(ERR_SSL_|EPROTO$)/.test(code)) {
    return `The server at ${url} does not speak TLS (${code}). Is it an http address?`
  }
  if (code.startsWith('HPE_')) {
    return `The server at ${url} does not speak HTTP (${code}). Is it an https address?`
  }
  return `No service answers at ${url}. Is it running?`
}

/** The first cause that has a code. */
function findCoded(cause: unknown): NodeJS.ErrnoException | undefined {
  if (!(cause instanceof Error)) return undefined
  const { code } = cause as NodeJS.ErrnoException
  return typeof code === 'string' ? cause : findCoded(cause.cause)
}
