import type { Output } from '../operations/operations.ts'
import { renderFields, renderTable } from './table.ts'

/** What applying fixture files has done, for people; the secrets that were made are in it. */
export function describeApplied({
  clients,
  webhooks,
  ...counts
}: Output<'fixtures.apply'>): string {
  const kinds = Object.keys(counts.created) as (keyof typeof counts.created)[]
  const table = renderTable(kinds, {
    KIND: (kind) => kind,
    CREATED: (kind) => counts.created[kind],
    UPDATED: (kind) => counts.updated[kind],
    UNCHANGED: (kind) => counts.unchanged[kind],
  })
  const secrets = clients.map(({ organization, client_id, client_secret }) =>
    renderFields({ organization, client_id, client_secret }),
  )
  const signingSecrets = webhooks.map(({ organization, url, signing_secret }) =>
    renderFields({ organization, url, signing_secret }),
  )
  return [table, ...secrets, ...signingSecrets].join('\n\n')
}
