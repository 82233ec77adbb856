import { clientOperations } from './clients.ts'
import { cooperativeOperations } from './cooperatives.ts'
import { eventOperations } from './events.ts'
import { fixtureOperations } from './fixtures.ts'
import { keyOperations } from './keys.ts'
import { organizationOperations } from './organizations.ts'
import { sharePurchaseOperations } from './share-purchases.ts'
import { storeOperations } from './store.ts'
import { tokenOperations } from './tokens.ts'
import { webhookDoctorOperations } from './webhook-doctor.ts'
import { webhookOperations } from './webhooks.ts'

/** Everything an operator can do, by name. */
export const operations = {
  ...organizationOperations,
  ...clientOperations,
  ...tokenOperations,
  ...keyOperations,
  ...cooperativeOperations,
  ...sharePurchaseOperations,
  ...webhookOperations,
  ...webhookDoctorOperations,
  ...eventOperations,
  ...fixtureOperations,
  ...storeOperations,
}

type Operations = typeof operations
export type OperationName = keyof Operations
/** Of those that answer a list in batches. */
export type ListName = {
  [Name in OperationName]: Operations[Name] extends { batches: unknown } ? Name : never
}[OperationName]
export type Input<Name extends OperationName> = Parameters<Operations[Name]['run']>[1]
type Batches<Name extends ListName> = ReturnType<Operations[Name]['batches']>
export type Row<Name extends ListName> =
  Batches<Name> extends AsyncIterable<readonly (infer Each)[]> ? Each : never
export type Output<Name extends OperationName> = Awaited<ReturnType<Operations[Name]['run']>>
