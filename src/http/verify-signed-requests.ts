import { isIP } from 'node:net'
import { type H3, type H3Event, type Middleware, toResponse } from 'h3'
import type { ActingOperator } from '../domain/operators/operator.ts'
import { Problem } from '../domain/problem.ts'
import type { Caller } from '../operations/run-audited.ts'
import type { Clock } from '../ports/clock.ts'
import {
  authorityOf,
  isEqualInConstantTime,
  parseSigned,
  type Signed,
  signatureOf,
  signedResponseType,
  signResponse,
} from './operator-signature.ts'

/** The signer and the key for an id; the local administrator if there is no id; undefined if nobody may sign. */
export type FindSigner = (
  operatorId: string | undefined,
) => Promise<{ readonly operator: ActingOperator; readonly key: string } | undefined>

export interface SigningOptions {
  readonly findSigner: FindSigner
  readonly instanceId: string
  /** The base URL of this listener. */
  readonly baseUrl: string
  /** Other authorities of this listener: `host` or `host:port`. */
  readonly names?: readonly string[] | undefined
  readonly clock: Clock
}

/** The caller of a request. Call this only for paths that require a token. */
export function callerOf({ context }: H3Event): Caller {
  const { operator, requestId = '', signedDigest } = context
  if (!operator) throw new Error('This path does not require a token, so there is no operator.')
  // Only commands sign their requests.
  return { operator, requestId, via: signedDigest === undefined ? 'api' : 'command' }
}

/** The time after its challenge for which a request is accepted, and the minimum time for which its nonce is remembered. */
const validMs = 60_000
/** No service can answer nearly as many requests in a minute. */
const maximumNonces = 500_000

/**
 * Verifies requests that are signed instead of carrying the token. An eavesdropper can neither
 * forge nor repeat one, and the response proves its origin. Unsigned requests continue to the
 * check of the token.
 */
export function verifySignedRequests(app: H3, options: SigningOptions): Middleware {
  const { findSigner, clock } = options
  const nonces = new UsedNonces(clock)
  // The signed response gets common headers and is observed.
  const { onResponse: _later, ...rendering } = app.config
  return async (event, next) => {
    const signed = parseSigned(event.req.headers.get('authorization') ?? '')
    if (!signed) return next()
    const signer = await findSigner(signed.operatorId)
    const { request, signature } = requireGenuine(event, signed, signer?.key)
    const work = async () => {
      refuseElsewhere(event, request, options)
      const ageMs = clock.stopwatchMs() - request.time
      if (ageMs < 0 || ageMs > validMs) {
        throw new Problem('SERVICE_UNAVAILABLE', 'The request arrived too late. Try again.')
      }
      refuseAgain(nonces.use(request.nonce))
      event.context.signedDigest = request.digest
      event.context.operator = signer?.operator
      return next()
    }
    const answer = await toResponse(work(), event, rendering)
    const headers = new Headers(answer.headers)
    headers.delete('content-length')
    headers.set('content-type', signedResponseType)
    const { status } = answer
    const key = signer?.key ?? ''
    const content = signResponse({ key, signature, status }, answer.body ?? nothing())
    return new Response(ReadableStream.from(content), { status, headers })
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

function requireGenuine(event: H3Event, signed: Partial<Signed>, key: string | undefined): Signed {
  const { request, signature } = signed
  if (request && signature !== undefined && key !== undefined) {
    const { method, headers } = event.req
    const path = `${event.url.pathname}${event.url.search}`
    const environment = headers.get('coopshare-environment') ?? ''
    const expected = signatureOf(key, { ...request, method, path, environment })
    if (isEqualInConstantTime(signature, expected)) return { request, signature }
  }
  throw new Problem(
    'UNAUTHENTICATED',
    'The request is not signed with the token of an active operator.',
  )
}

/** Refuses a request that was signed for another address: a program that relays it could have it executed here. */
function refuseElsewhere(
  event: H3Event,
  { authority, instanceId }: Signed['request'],
  options: SigningOptions,
): void {
  if (!isOwnAuthority(event, authority, options)) {
    throw new Problem(
      'FORBIDDEN',
      `${authority} is not a known address of this service. If it leads here, for example through a tunnel or a proxy, start the service with --operator-names ${authority}.`,
    )
  }
  if (instanceId !== options.instanceId) {
    throw new Problem(
      'SERVICE_UNAVAILABLE',
      'The request was signed for another instance, or before this one restarted. Use the address of a single instance and try again.',
    )
  }
}

/** The addresses by which clients may reach this listener. */
export type ListenerNames = Pick<SigningOptions, 'baseUrl' | 'names'>

/** Whether `host:port` leads to this listener. */
export function isOwnAuthority(
  event: H3Event,
  authority: string,
  { baseUrl, names = [] }: ListenerNames,
): boolean {
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(authority) ?? []
  const own = authorityOf(baseUrl)
  const isOwnPort = own.endsWith(`:${port}`)
  if (names.some((name) => name === authority || (isOwnPort && name === host))) return true
  if (authority === own) return true
  const address = host.replace(/^\[(.*)\]$/, '$1')
  const { localAddress } = event.runtime?.node?.req.socket ?? {}
  const isLocal = isIP(address) !== 0 && address === localAddress?.replace(/^::ffff:/, '')
  return isOwnPort && (isLocal || /^(localhost|127(\.\d+){3}|::1)$/.test(address))
}

function refuseAgain(use: 'new' | 'again' | 'full'): void {
  if (use === 'again') {
    throw new Problem(
      'UNAUTHENTICATED',
      'The same request was sent before. The operation may have completed; check before you retry.',
    )
  }
  if (use === 'full') throw new Problem('SERVICE_UNAVAILABLE', 'Too many requests. Try again.')
}

/** Used nonces, in two generations of which the older one is dropped as a whole. */
class UsedNonces {
  readonly #clock: Clock
  #current = new Set<string>()
  #former = new Set<string>()
  #begunMs: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#begunMs = clock.stopwatchMs()
  }

  use(nonce: string): 'new' | 'again' | 'full' {
    this.#forget()
    if (this.#current.has(nonce) || this.#former.has(nonce)) return 'again'
    // Forgetting a nonce too early would allow a replay.
    if (this.#current.size >= maximumNonces) return 'full'
    this.#current.add(nonce)
    return 'new'
  }

  #forget(): void {
    const age = this.#clock.stopwatchMs() - this.#begunMs
    if (age <= validMs) return
    this.#former = age > 2 * validMs ? new Set() : this.#current
    this.#current = new Set()
    this.#begunMs += age
  }
}
