import type { Scope } from './scope.ts'

/** How long a token is valid (spec: Limits). */
export const accessTokenSeconds = 900

/** spec: Token properties, `aud` names the service's clients. */
export const accessTokenAudience = 'coopshare-clients'

export interface AccessToken {
  readonly accessToken: string
  readonly expiresInSeconds: typeof accessTokenSeconds
  readonly scopes: readonly Scope[]
}
