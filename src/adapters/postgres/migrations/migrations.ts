import { schema } from './0001-schema.ts'
import { changes } from './0002-changes.ts'
import { moreChanges } from './0003-more-changes.ts'
import { moved } from './0004-moved.ts'
import { orders } from './0005-orders.ts'
import { commits } from './0006-commits.ts'
import { outbox } from './0007-outbox.ts'
import { retention } from './0008-retention.ts'

export interface Migration {
  readonly name: string
  readonly sql: string
}

/** In the order in which they are applied. */
export const migrations: readonly Migration[] = [
  { name: '0001-schema', sql: schema },
  { name: '0002-changes', sql: changes },
  { name: '0003-more-changes', sql: moreChanges },
  { name: '0004-moved', sql: moved },
  { name: '0005-orders', sql: orders },
  { name: '0006-commits', sql: commits },
  { name: '0007-outbox', sql: outbox },
  { name: '0008-retention', sql: retention },
]
