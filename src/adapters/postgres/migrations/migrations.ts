import { audit } from './0001-schema/audit.ts'
import { catalogue } from './0001-schema/catalogue.ts'
import { commits } from './0001-schema/commits.ts'
import { identity } from './0001-schema/identity.ts'
import { investors } from './0001-schema/investors.ts'
import { sharePurchases } from './0001-schema/share-purchases.ts'
import { store } from './0001-schema/store.ts'
import { webhooks } from './0001-schema/webhooks.ts'
import { tallies } from './0002-tallies.ts'
import { searchVersion } from './0003-search-version.ts'
import { settledLists } from './0004-settled-lists.ts'
import { payments } from './0005-payments.ts'

export interface Migration {
  readonly name: string
  readonly sql: string
}

/**
 * In the order in which they are applied. A migration never changes, because every database keeps its checksum and the
 * program refuses another one: a change of the schema is one more migration at the end.
 *
 * A migration takes the values of a column from the domain. When the domain gets another value, the text would change:
 * write the values as they were into that migration, and allow the new value in a later migration, which takes the values
 * from the domain. `test/adapters/postgres/schema.ts` notices both.
 */
export const migrations: readonly Migration[] = [
  {
    name: '0001-schema',
    // A table comes after the functions and tables to which it refers.
    sql: [store, commits, identity, catalogue, investors, sharePurchases, webhooks, audit].join(''),
  },
  { name: '0002-tallies', sql: tallies },
  { name: '0003-search-version', sql: searchVersion },
  { name: '0004-settled-lists', sql: settledLists },
  { name: '0005-payments', sql: payments },
]
