import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type H3Event, HTTPResponse, handleCacheHeaders } from 'h3'
import { strongEtag } from '../usecases/etag.ts'

/** What is sent, with its tag. */
export interface Representation {
  readonly bytes: Uint8Array
  readonly etag: string
}

export function representationOf(content: string | Uint8Array): Representation {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return { bytes, etag: strongEtag(bytes) }
}

/** How a representation is sent. */
interface CacheableHeaders {
  readonly contentType: string
  readonly cacheControl: string
  /** Headers of the representation. */
  readonly headers?: Readonly<Record<string, string>>
}

interface CacheableResponse extends Representation, CacheableHeaders {}

/** Sends 304 if the caller already has the representation. */
export function sendCacheable(
  event: H3Event,
  { bytes, etag, contentType, cacheControl, headers: more = {} }: CacheableResponse,
): Uint8Array | HTTPResponse {
  const isUnchanged = handleCacheHeaders(event, { etag })
  const { headers } = event.res
  // Set by hand, because h3 would add public and s-maxage.
  headers.set('cache-control', cacheControl)
  // A null body would get `Content-Length: 0` from h3, but a 304 has the length of the 200 or
  // none (RFC 9110 8.6).
  if (isUnchanged) return new HTTPResponse(null)
  headers.set('content-type', contentType)
  for (const [name, value] of Object.entries(more)) headers.set(name, value)
  return bytes
}

/** A large text, which is compressed for those who accept that. */
export interface CompressibleRepresentation {
  readonly compressed: Representation
  readonly plain: Representation
}

const pack = promisify(gzip)

export async function compressibleOf(text: string): Promise<CompressibleRepresentation> {
  return { compressed: representationOf(await pack(text)), plain: representationOf(text) }
}

/** Sends 304 if the caller already has the representation in the accepted coding. */
export function sendCompressible(
  event: H3Event,
  { compressed, plain }: CompressibleRepresentation,
  { headers, ...others }: CacheableHeaders,
): Uint8Array | HTTPResponse {
  const isCompressed = acceptsGzip(event.req.headers.get('accept-encoding') ?? '')
  event.res.headers.set('vary', 'accept-encoding')
  return sendCacheable(event, {
    ...(isCompressed ? compressed : plain),
    ...others,
    headers: { ...headers, ...(isCompressed && { 'content-encoding': 'gzip' }) },
  })
}

/** RFC 9110 12.5.3: a weight of 0 excludes a coding, and `*` stands for all others. */
function acceptsGzip(acceptEncoding: string): boolean {
  const weights = weightsIn(acceptEncoding)
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0
}

/** RFC 9110 12.4.2: what a header such as Accept names, in lower case, with the weights. */
export function weightsIn(header: string): ReadonlyMap<string, number> {
  return new Map(header.toLowerCase().split(',').map(readWeight))
}

function readWeight(text: string): [name: string, weight: number] {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  return [name, Number(weight?.slice('q='.length) ?? 1)]
}
