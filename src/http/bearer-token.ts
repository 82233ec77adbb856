import type { H3Event } from 'h3'

/** RFC 6750 2.1; undefined when the request brings none. */
export function bearerToken(event: H3Event): string | undefined {
  const [scheme, token] = event.req.headers.get('authorization')?.split(' ') ?? []
  return scheme?.toLowerCase() === 'bearer' && token ? token : undefined
}
