import { isIP } from 'node:net'
import { type H3, type H3Event, type Middleware, toResponse } from 'h3'
import { Problem } from '../../domain/problem.ts'
import type { Clock } from '../../ports/clock.ts'
import {
  authorityOf,
  isSame,
  parseSigned,
  type Signed,
  type SignedRequest,
  signatureOf,
} from '../operator-signature.ts'
import { sealAnswer, signedAnswerType } from '../signed-answer.ts'
import { UsedNonces } from '../used-nonces.ts'

export interface SigningOptions {
  readonly token: string
  readonly instanceId: string
  /** Of this listener. */
  readonly baseUrl: string
  /** Under which callers reach it, too: `host` or `host:port`. */
  readonly names?: readonly string[] | undefined
  readonly clock: Clock
}

/** A request may come this long after its challenge; until then, its nonce is remembered. */
const validMs = 60_000
/** This many requests of one minute are remembered, which is far more than a service can answer. */
const mostNonces = 500_000

/**
 * Requests that are signed instead of carrying the token: somebody who sees one on its way can send neither another nor the
 * same one again, and the answer shows that it is genuine. What is not signed goes on to those who look for the token.
 */
export function takeSignedRequests(app: H3, options: SigningOptions): Middleware {
  const { token, clock } = options
  const nonces = new UsedNonces({ clock, validMs, most: mostNonces })
  // The sealed answer gets its standing headers, and is observed.
  const { onResponse: _later, ...rendering } = app.config
  return async (event, next) => {
    const signed = parseSigned(event.req.headers.get('authorization') ?? '')
    if (!signed) return next()
    const { request, signature } = requireGenuine(event, signed, token)
    const work = async () => {
      refuseElsewhere(event, request, options)
      refuseLate(request, clock.monotonicMs())
      refuseAgain(nonces.use(request.nonce))
      event.context.signedDigest = request.digest
      return next()
    }
    const answer = await toResponse(work(), event, rendering)
    const headers = new Headers(answer.headers)
    headers.delete('content-length')
    headers.set('content-type', signedAnswerType)
    const { status } = answer
    const sealed = sealAnswer({ token, signature, status }, answer.body ?? nothing())
    return new Response(ReadableStream.from(sealed), { status, headers })
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

function requireGenuine(event: H3Event, signed: Partial<Signed>, token: string): Signed {
  const { request, signature } = signed
  if (request && signature !== undefined) {
    const expected = signatureOf(token, { ...request, ...wholeOf(event) })
    if (isSame(signature, expected)) return { request, signature }
  }
  throw new Problem('UNAUTHENTICATED', 'The request is not signed with the operator token.')
}

function wholeOf({ req, url }: H3Event): Pick<SignedRequest, 'method' | 'path' | 'environment'> {
  const environment = req.headers.get('coopshare-environment') ?? ''
  return { method: req.method, path: `${url.pathname}${url.search}`, environment }
}

/** A program that passes requests on would otherwise get what was meant for it done here. */
function refuseElsewhere(
  event: H3Event,
  { authority, instanceId }: Signed['request'],
  options: SigningOptions,
): void {
  if (!isOwn(authority, addressIn(event), options)) {
    throw new Problem(
      'FORBIDDEN',
      `The service does not know itself as ${authority}. If that is an address of it, such as a tunnel or a proxy, start it with --operator-names ${authority}.`,
    )
  }
  if (instanceId !== options.instanceId) {
    throw new Problem(
      'SERVICE_UNAVAILABLE',
      'The request was signed for another start of the service. Name the address of one instance, and try again.',
    )
  }
}

function isOwn(
  authority: string,
  localAddress: string | undefined,
  { baseUrl, names = [] }: SigningOptions,
): boolean {
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(authority) ?? []
  const own = authorityOf(baseUrl)
  const isOwnPort = own.endsWith(`:${port}`)
  if (names.some((name) => name === authority || (isOwnPort && name === host))) return true
  if (authority === own) return true
  const address = host.replace(/^\[(.*)\]$/, '$1')
  const isHere = /^(localhost|127(\.\d+){3}|::1)$/.test(address) || address === localAddress
  return isOwnPort && isHere
}

/** At which of the machine's addresses the request has arrived. */
function addressIn({ runtime }: H3Event): string | undefined {
  const address = runtime?.node?.req.socket?.localAddress?.replace(/^::ffff:/, '')
  return address !== undefined && isIP(address) ? address : undefined
}

function refuseLate({ time }: Signed['request'], now: number): void {
  if (time <= now && now - time <= validMs) return
  throw new Problem('SERVICE_UNAVAILABLE', 'The request came too late. Try again.')
}

function refuseAgain(use: 'new' | 'again' | 'full'): void {
  if (use === 'again') {
    throw new Problem(
      'UNAUTHENTICATED',
      'The same request was sent before. What it asks for may be done.',
    )
  }
  if (use === 'full') throw new Problem('SERVICE_UNAVAILABLE', 'Too many requests. Try again.')
}
