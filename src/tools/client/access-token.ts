import { CallError } from './call-error.ts'
import { Deadline, type Send, sendWithRetries } from './send-request.ts'

export interface Credentials {
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  /** The scopes of the tokens; by default all scopes of the client. */
  readonly scopes?: readonly string[] | undefined
}

/** A token is replaced this long before it expires, so that it is still valid when it arrives. */
const marginMs = 30_000
const timeoutMs = 60_000

interface Token {
  readonly value: string
  readonly staleAt: number
}

/** The access token of a client, which is requested when it is needed. */
export class AccessToken {
  readonly #credentials: Credentials
  readonly #send: Send
  #current: Token | undefined
  /** Concurrent calls wait for the same request. */
  #request: Promise<string> | undefined

  constructor(credentials: Credentials, send: Send) {
    this.#credentials = credentials
    this.#send = send
  }

  async get(): Promise<string> {
    if (this.#current && performance.now() < this.#current.staleAt) return this.#current.value
    this.#request ??= this.#renew().finally(() => {
      this.#request = undefined
    })
    return this.#request
  }

  /** Forgets a token that the service has refused, unless it was replaced meanwhile. */
  drop(refused: string): void {
    if (this.#current?.value === refused) this.#current = undefined
  }

  async #renew(): Promise<string> {
    const answer = await sendWithRetries(
      this.#tokenRequest(),
      // The token is for all waiting calls, so none of them can abort the request.
      new Deadline(timeoutMs, undefined),
      this.#send,
    )
    const body = await readJson(answer)
    if (!answer.ok) throw refusal(answer.status, body)
    const { access_token: value, expires_in: seconds } = body
    if (typeof value !== 'string' || typeof seconds !== 'number')
      throw new CallError('TokenError', 'The token endpoint did not answer with a token.', {
        status: answer.status,
      })
    const lifetimeMs = seconds * 1000
    const staleAt = performance.now() + Math.max(lifetimeMs - marginMs, lifetimeMs / 2)
    this.#current = { value, staleAt }
    return value
  }

  #tokenRequest(): Request {
    const { baseUrl, clientId, clientSecret, scopes } = this.#credentials
    // RFC 6749 2.3.1: both are form-urlencoded before they are joined.
    const [id, secret] = [clientId, clientSecret].map(encodeForm)
    return new Request(`${baseUrl}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        ...(scopes && { scope: scopes.join(' ') }),
      }),
    })
  }
}

function encodeForm(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1)
}

async function readJson(answer: Response): Promise<Readonly<Record<string, unknown>>> {
  try {
    return Object(await answer.json())
  } catch {
    return {}
  }
}

/** RFC 6749 5.2. */
function refusal(status: number, body: Readonly<Record<string, unknown>>): CallError {
  const { error, error_description: description } = body
  const code = typeof error === 'string' ? error : undefined
  const why = [code, description].filter((part) => typeof part === 'string').join(': ')
  // A refusal without `error` does not come from a token endpoint.
  const isOther = !code && status < 500
  const hint = isOther ? ' Check baseUrl: it is the address of the service without /v1.' : ''
  const message = `The service issued no access token (${status})${why ? `: ${why}` : '.'}${hint}`
  return new CallError('TokenError', message, { status, code })
}
