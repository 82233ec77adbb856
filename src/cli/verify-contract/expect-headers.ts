import type { Answer } from './pinned-contract.ts'
import type { Expectation } from './step.ts'

export function expectHeader(name: string, wanted: string): Expectation {
  return ({ headers }) => {
    const found = headers.get(name)
    return found === wanted ? undefined : `header ${name} is ${found} instead of ${wanted}`
  }
}

export function expectOwnRequestId({ headers, requestId }: Answer): string | undefined {
  return headers.get('x-request-id') === requestId
    ? undefined
    : 'header X-Request-Id is not the one that was sent'
}

export function expectUtf8({ headers }: Answer): string | undefined {
  const charset = /;\s*charset="?([^\s";]+)/i.exec(headers.get('content-type') ?? '')?.[1]
  const isUtf8 = charset === undefined || charset.toLowerCase() === 'utf-8'
  return isUtf8 ? undefined : `content-type: the charset is ${charset} instead of utf-8`
}

const named = /^'(none|self|(sha256|sha384|sha512|nonce)-.+)'$/

/** A page that lets any script in could as well have no policy. */
export function expectOwnScripts({ headers }: Answer): string | undefined {
  const policy = headers.get('content-security-policy') ?? ''
  const directives = policy.split(';').map((directive) => directive.trim().split(/\s+/))
  const sources = directives.flatMap(([name = '', ...listed]) =>
    /^(default|script)-src/i.test(name) ? listed : [],
  )
  const foreign = sources.find((source) => !named.test(source))
  return foreign && `header Content-Security-Policy lets in scripts of ${foreign}`
}

export function expectReplay({ headers }: Answer): string | undefined {
  return headers.get('idempotent-replayed') === 'true'
    ? undefined
    : 'header Idempotent-Replayed is not true, though the key came before'
}

export function expectNoReplay({ headers }: Answer): string | undefined {
  return headers.has('idempotent-replayed')
    ? 'header Idempotent-Replayed is there, though the key is new'
    : undefined
}
