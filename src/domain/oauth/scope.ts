/** spec: Scopes. The order is the one in which a token that carries all of them lists them. */
export const scopes = [
  'cooperatives:read',
  'projects:read',
  'investors:read',
  'investors:write',
  'applications:read',
  'applications:write',
  'portfolio:read',
] as const

export type Scope = (typeof scopes)[number]
