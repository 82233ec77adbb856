import type { RenderedAccess } from './offline-store.ts'
import { renderTable } from './table.ts'

/** Shows who has access to a store of which an old state is in use again. */
export function renderStoreAccess({ signing_keys, clients, operators }: RenderedAccess): string {
  const keyColumns = { 'SIGNING KEY': 'kid', STATE: 'state', CHANGED: 'changed_at' } as const
  const clientColumns = {
    CLIENT: 'client_id',
    NAME: 'name',
    PARTNER: 'organization',
    CHANGED: 'changed_at',
  } as const
  const operatorColumns = { OPERATOR: 'name', ROLE: 'role', CHANGED: 'changed_at' } as const
  const tables = [
    ...(signing_keys.length > 0 ? [renderTable(signing_keys, keyColumns)] : []),
    ...(clients.length > 0 ? [renderTable(clients, clientColumns)] : []),
    ...(operators.length > 0 ? [renderTable(operators, operatorColumns)] : []),
  ]
  return tables.join('\n\n')
}

/** @param since what the listed access is older than */
export function accessAdvice(since: string): string {
  return `These signing keys, enabled clients and operators have access to the store. Whatever was revoked, disabled or replaced after ${since} works again: compare the list with the audit of the store that was in use last.`
}
