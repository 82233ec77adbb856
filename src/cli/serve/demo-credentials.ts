export interface Credentials {
  readonly client_id: string
  readonly client_secret: string
}

/**
 * Of the first client in fixtures/demo.yaml, for people to try. They stand here too because the greeting of every start
 * shows them, and reading all of the demo data for two words would be a fifth of that start.
 */
export const demoCredentials: Credentials = {
  client_id: 'd0000000-0000-4000-8000-000000000001',
  client_secret: 'demo-bank-full-secret-for-staging-only',
}
