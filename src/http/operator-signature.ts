import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** Each request has a new random value, so nobody can replay an earlier request or response. */
export const noncePattern = /^[0-9a-f]{32,128}$/

/** Limits a signature to one start of the service and to a short time after `time`. */
export interface Challenge {
  readonly instanceId: string
  /** Milliseconds on a clock of this start of the service. */
  readonly time: number
}

/** The parts of a request that the signature protects. */
export interface SignedRequest extends Challenge {
  readonly method: string
  /** `host:port` as the caller dialled it, in lower case. */
  readonly authority: string
  /** Including the query. */
  readonly path: string
  readonly nonce: string
  readonly environment: string
  /** SHA-256 of the body, in hex. */
  readonly digest: string
}

export interface Signed {
  /** undefined: signed with the token of the service itself. */
  readonly operatorId?: string | undefined
  readonly request: Omit<SignedRequest, 'method' | 'path' | 'environment'>
  readonly signature: string
}

/**
 * Proves to a caller that the operator endpoint knows the key, too: the token of the service, or the key that is
 * derived from an operator's token.
 */
export function operatorProof(
  key: string,
  { instanceId, time, nonce }: Challenge & { readonly nonce: string },
): string {
  return hmac(key, ['coopshare-identity-2', instanceId, time, nonce].join('\n')).toString('hex')
}

export function signatureOf(key: string, request: SignedRequest): string {
  const { method, authority, path, instanceId, time, nonce, environment, digest } = request
  const lines = [method, authority, path, instanceId, time, nonce, environment, digest]
  return hmac(key, ['coopshare-request-1', ...lines].join('\n')).toString('hex')
}

/** Digests have one length, so that the comparison reveals nothing about the expected value. */
export function isEqualInConstantTime(given: string, expected: string): boolean {
  return timingSafeEqual(sha256(given), sha256(expected))
}

export function digestOf(body: string | Uint8Array): string {
  return sha256(body).toString('hex')
}

export function renderSigned({ operatorId, request, signature }: Signed): string {
  const { authority, instanceId: instance, time, nonce, digest } = request
  const named = operatorId !== undefined && { operator: operatorId }
  const parts = Object.entries({ ...named, authority, instance, time, nonce, digest, signature })
  return `${scheme} ${parts.map(([name, value]) => `${name}="${value}"`).join(', ')}`
}

/** Reads an Authorization header. Returns undefined for another scheme. */
export function parseSigned(authorization: string): Partial<Signed> | undefined {
  if (!authorization.startsWith(`${scheme} `)) return undefined
  const parts = new Map<string, string>()
  // Without \b, each letter of a long word would be tried as the beginning of a name.
  for (const [, name = '', value = ''] of authorization.matchAll(/\b(\w+)="([^"]*)"/g)) {
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
    operatorId: parts.get('operator'),
    request: { authority, instanceId, time: Number(time), nonce, digest },
    signature,
  }
}

/** `host:port` of an address, including the default port. */
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

/** The body of a signed response: frames, each with a digest over all frames before it. */
export const signedResponseType = 'application/vnd.coopshare.signed'

interface Answered {
  readonly key: string
  /** The signature of the request, which ties the response to this request. */
  readonly signature: string
  readonly status: number
}

/**
 * A frame is four bytes of length, the content and its digest. An empty frame ends the response.
 */
const maximumFrameBytes = 1024 * 1024
const [lengthBytes, digestBytes] = [4, 32]

export class ForgedResponse extends Error {}

/**
 * Yields frames as the content arrives. The reader can verify each frame, and at the end that none
 * is missing.
 */
export async function* signResponse(
  answered: Answered,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const digest = startDigests(answered)
  for await (const chunk of content) {
    for (let from = 0; from < chunk.length; from += maximumFrameBytes) {
      yield frameOf(chunk.subarray(from, from + maximumFrameBytes), digest)
    }
  }
  yield frameOf(new Uint8Array(), digest)
}

/**
 * Yields the content. Throws a `ForgedResponse` before it yields anything that the service has not
 * sent.
 */
export async function* verifyResponse(
  answered: Answered,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const digest = startDigests(answered)
  let rest: Buffer = Buffer.alloc(0)
  let isComplete = false
  for await (const chunk of bytes) {
    // The connection can be used again only if the response is read to its end.
    if (isComplete) return
    rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk])
    for (let size = frameSize(rest); size !== undefined; size = frameSize(rest)) {
      const content = rest.subarray(lengthBytes, size - digestBytes)
      if (!timingSafeEqual(rest.subarray(size - digestBytes, size), digest(content))) {
        throw new ForgedResponse('Part of the response has a wrong digest.')
      }
      rest = rest.subarray(size)
      isComplete = content.length === 0
      if (isComplete) break
      yield content
    }
  }
  if (!isComplete) throw new Error('The response ended early.')
}

/** undefined until the first frame is complete. */
function frameSize(bytes: Buffer): number | undefined {
  if (bytes.length < lengthBytes) return undefined
  const length = bytes.readUInt32BE(0)
  if (length > maximumFrameBytes) throw new ForgedResponse('Part of the response is too long.')
  const size = lengthBytes + length + digestBytes
  return bytes.length < size ? undefined : size
}

type Digest = (content: Uint8Array) => Buffer

function frameOf(content: Uint8Array, digest: Digest): Uint8Array {
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt32BE(content.length)
  return Buffer.concat([length, content, digest(content)])
}

function startDigests({ key, signature, status }: Answered): Digest {
  const start = `coopshare-answer-1\n${signature}\n${status}\n`
  let last = createHmac('sha256', key).update(start).digest()
  return (content) => {
    last = createHmac('sha256', key).update(last).update(content).digest()
    return last
  }
}
