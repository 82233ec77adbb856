import type { H3Event } from 'h3'

/** RFC 6750 2.1; undefined when the request brings none. */
export function bearerToken(event: H3Event): string | undefined {
  const authorization = event.req.headers.get('authorization') ?? ''
  return /^bearer +(\S.*)$/i.exec(authorization)?.[1]
}
