import type { Output } from '../operations/operations.ts'
import type { WireFixtureFile } from '../operations/shapes/fixture-file.ts'
import { noteSecret } from './lost-output.ts'

// Each says what is left to do when a secret that is shown once was not shown.

export function noteClientSecret({ client_id }: { readonly client_id: string }): void {
  noteSecret(
    `The client ${client_id} was made, but its secret is lost: "coopshare client rotate-secret ${client_id}" gives it another one.`,
  )
}

interface RotatedClient {
  readonly client_id: string
  readonly secret_id: string
}

/** A client has two at most. */
export function noteSecondClientSecret({ client_id, secret_id }: RotatedClient): void {
  noteSecret(
    `The client ${client_id} was given the secret ${secret_id}, but it is lost: revoke it by "coopshare client revoke-secret ${client_id} ${secret_id}", then rotate again.`,
  )
}

export function noteSigningSecret(endpoint: { readonly webhook_endpoint_id: string }): void {
  const id = endpoint.webhook_endpoint_id
  noteSecret(
    `The webhook endpoint ${id} was given a signing secret, but it is lost: "coopshare webhook rotate-secret ${id}" gives it another one.`,
  )
}

/** A secret that the files themselves name is not lost. */
export function noteAppliedSecrets(
  { clients, webhooks }: Output<'fixtures.apply'>,
  { organizations }: WireFixtureFile,
): void {
  const fixtures = organizations?.flatMap((organization) => organization.clients ?? [])
  const named = new Set(fixtures?.map(({ client_secret }) => client_secret))
  for (const client of clients) if (!named.has(client.client_secret)) noteClientSecret(client)
  webhooks.forEach(noteSigningSecret)
}
