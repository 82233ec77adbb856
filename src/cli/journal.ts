import { Flags } from '@oclif/core'
import type { ExchangeRow } from '../http/bench/answers.ts'
import { limitFlag } from './arguments.ts'
import type { Columns } from './table.ts'

export const exchangeFlags = {
  operation: Flags.string({
    helpValue: 'ID',
    description: 'Only this operation id, or `delivery`.',
  }),
  client: Flags.string({ helpValue: 'ID', description: 'Only requests of this client.' }),
  direction: Flags.option({
    options: ['partner', 'delivery'] as const,
    description: 'Only requests of partners, or only deliveries.',
  })(),
  limit: limitFlag(),
}

interface Filter {
  readonly operation?: string | undefined
  readonly client?: string | undefined
  readonly direction?: string | undefined
  readonly limit?: number | undefined
}

/** Empty, or with its question mark. */
export function queryOf({ operation, client, direction, limit }: Filter): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ operation, client, direction, limit })) {
    if (value !== undefined) query.set(name, String(value))
  }
  return query.size === 0 ? '' : `?${query}`
}

export const exchangeColumns: Columns<ExchangeRow> = {
  NO: ({ sequence }) => sequence,
  AT: ({ at }) => at,
  OPERATION: ({ operation, method }) => operation ?? method,
  PATH: ({ path }) => path,
  STATUS: ({ status }) => status,
  CODE: ({ code }) => code,
  CONTRACT: ({ contract }) => contract.verdict,
}
