import type { CollectionName } from '../../../ports/store-copy.ts'
import type { Table } from '../table.ts'
import { cooperativeTable, imageTable } from './cooperatives.ts'
import { holdingTable, investorTable } from './investors.ts'
import { clientTable, signingKeyTable } from './oauth.ts'
import { organizationTable, settingsTable } from './organizations.ts'
import { idempotencyRecordTable, sharePurchaseTable } from './share-purchases.ts'
import { deliveryTable, eventTable, webhookEndpointTable } from './webhooks.ts'

/** For work on whole tables, whatever is in them. */
export type WholeTable = Pick<
  Table<object, unknown>,
  'name' | 'selected' | 'insertMany' | 'all'
> & { readonly key: readonly string[] }

/** By collection. */
export const tables: Readonly<Record<CollectionName, WholeTable>> = {
  settings: settingsTable,
  organizations: organizationTable,
  clients: clientTable,
  signingKeys: signingKeyTable,
  cooperatives: cooperativeTable,
  images: imageTable,
  investors: investorTable,
  sharePurchases: sharePurchaseTable,
  holdings: holdingTable,
  idempotencyRecords: idempotencyRecordTable,
  webhookEndpoints: webhookEndpointTable,
  events: eventTable,
  deliveries: deliveryTable,
}
