import { Flags } from '@oclif/core'
import type { ExchangeRow } from '../wire/bench.ts'
import { limitFlag } from './arguments.ts'
import type { Columns } from './table.ts'

export const exchangeFlags = {
  operation: Flags.string({
    helpValue: 'ID',
    description: 'Only requests with this operation id; `delivery` selects deliveries.',
  }),
  client: Flags.string({ helpValue: 'ID', description: 'Only requests of this client.' }),
  direction: Flags.option({
    options: ['partner', 'delivery'] as const,
    description: 'Only partner requests, or only deliveries.',
  })(),
  limit: limitFlag(),
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
