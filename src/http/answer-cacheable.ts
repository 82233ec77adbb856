import { type H3Event, HTTPResponse, handleCacheHeaders } from 'h3'

export interface CacheableAnswer {
  readonly bytes: Uint8Array
  readonly etag: string
  readonly contentType: string
  readonly cacheControl: string
  /** That belong to the bytes. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Without the bytes where the caller has them already. */
export function answerCacheable(
  event: H3Event,
  { bytes, etag, contentType, cacheControl, headers: more = {} }: CacheableAnswer,
): Uint8Array | HTTPResponse {
  const isUnchanged = handleCacheHeaders(event, { etag })
  const { headers } = event.res
  // Exactly that: h3 would add public and s-maxage.
  headers.set('cache-control', cacheControl)
  // Not null, which h3 answers with `Content-Length: 0`: a 304 has the length of the 200 or none (RFC 9110 8.6).
  if (isUnchanged) return new HTTPResponse(null)
  headers.set('content-type', contentType)
  for (const [name, value] of Object.entries(more)) headers.set(name, value)
  return bytes
}
