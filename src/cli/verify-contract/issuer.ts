import { is, string, type } from 'superstruct'
import { findDiffering } from './expectations.ts'
import type { Answer } from './pinned-contract.ts'
import type { Known } from './step.ts'

const Metadata = type({ issuer: string() })

/** What the deployment takes for its own address; behind a proxy it may be asked at another one. */
export function keepIssuer(body: unknown): Known {
  return is(body, Metadata) ? { issuer: body.issuer } : {}
}

export function expectOwnPaths({ body }: Answer): string | undefined {
  if (!is(body, Metadata)) return undefined
  const { issuer } = body
  const wanted = {
    token_endpoint: `${issuer}/oauth2/token`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
  }
  return findDiffering(wanted, body)
}
