import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** What a caller draws for each use, so that no earlier answer or request fits. */
export const noncePattern = /^[0-9a-f]{32,128}$/

/** What a request has to be signed for: one start of the service, and a time on its clock. */
export interface Challenge {
  readonly instanceId: string
  /** Milliseconds on a clock that only this start of the service knows. */
  readonly time: number
}

/** Everything that must not change on the way. */
export interface SignedRequest extends Challenge {
  readonly method: string
  /** `host:port` as the caller dialled it, in lower case. */
  readonly authority: string
  /** With its query. */
  readonly path: string
  readonly nonce: string
  readonly environment: string
  /** SHA-256 of the body, in hex. */
  readonly digest: string
}

export interface Signed {
  readonly request: Omit<SignedRequest, 'method' | 'path' | 'environment'>
  readonly signature: string
}

/** Shows that an operator endpoint knows the token, to a caller who knows it too. */
export function operatorProof(
  token: string,
  { instanceId, time, nonce }: Challenge & { readonly nonce: string },
): string {
  return hmac(token, ['coopshare-identity-2', instanceId, time, nonce].join('\n')).toString('hex')
}

export function signatureOf(token: string, request: SignedRequest): string {
  const { method, authority, path, instanceId, time, nonce, environment, digest } = request
  const lines = [method, authority, path, instanceId, time, nonce, environment, digest]
  return hmac(token, ['coopshare-request-1', ...lines].join('\n')).toString('hex')
}

/** Digests have one length, so that the comparison tells nothing about what was expected. */
export function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(sha256(given), sha256(expected))
}

export function digestOf(body: string | Uint8Array): string {
  return sha256(body).toString('hex')
}

export function renderSigned({ request, signature }: Signed): string {
  const { authority, instanceId: instance, time, nonce, digest } = request
  const parts = Object.entries({ authority, instance, time, nonce, digest, signature })
  return `${scheme} ${parts.map(([name, value]) => `${name}="${value}"`).join(', ')}`
}

/** Of an Authorization header; undefined when it is of another scheme. */
export function parseSigned(authorization: string): Partial<Signed> | undefined {
  if (!authorization.startsWith(`${scheme} `)) return undefined
  const parts = new Map<string, string>()
  for (const [, name = '', value = ''] of authorization.matchAll(/(\w+)="([^"]*)"/g)) {
    parts.set(name, value)
  }
  const [authority, instanceId, nonce] = [
    parts.get('authority'),
    parts.get('instance'),
    parts.get('nonce'),
  ]
  const [time, digest, signature] = [parts.get('time'), parts.get('digest'), parts.get('signature')]
  if (authority === undefined || instanceId === undefined || digest === undefined) return {}
  if (signature === undefined || !nonce || !noncePattern.test(nonce)) return {}
  if (time === undefined || !/^\d{1,15}$/.test(time)) return {}
  return {
    request: { authority, instanceId, time: Number(time), nonce, digest },
    signature,
  }
}

/** `host:port` of an address, with the port even where it is the usual one. */
export function authorityOf(url: string): string {
  const { hostname, port, protocol } = new URL(url)
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
}

const scheme = 'Coopshare-Signature'

function hmac(key: string | Uint8Array, content: string): Buffer {
  return createHmac('sha256', key).update(content).digest()
}

function sha256(content: string | Uint8Array): Buffer {
  return createHash('sha256').update(content).digest()
}
