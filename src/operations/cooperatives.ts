import { array, object } from 'superstruct'
import { importCooperatives } from '../usecases/cooperatives/import-cooperatives.ts'
import { listCooperatives } from '../usecases/cooperatives/list-cooperatives.ts'
import { publishCooperative } from '../usecases/cooperatives/publish-cooperative.ts'
import { readCooperative } from '../usecases/cooperatives/read-cooperative.ts'
import { setSharePrice } from '../usecases/cooperatives/set-share-price.ts'
import { unpublishCooperative } from '../usecases/cooperatives/unpublish-cooperative.ts'
import type { UpsertedCooperative } from '../usecases/cooperatives/upsert-cooperatives.ts'
import { operation } from './operation.ts'
import { positiveAmount, readAmount } from './shapes/amount.ts'
import { cooperativeDefinitionShape } from './shapes/cooperative-definition.ts'
import { readCooperativeDefinition } from './shapes/read-cooperative-definition.ts'
import { renderCooperativeRecord, renderCooperativeRow } from './shapes/render-cooperative.ts'
import { text } from './shapes/text.ts'

/** `cooperative` is an id or a key. */
export const cooperativeOperations = {
  'cooperative.import': operation({
    input: object({ cooperatives: array(cooperativeDefinitionShape) }),
    run: async (service, { cooperatives }) =>
      renderImport(await importCooperatives(service, cooperatives.map(readCooperativeDefinition))),
  }),
  'cooperative.list': operation({
    input: object({}),
    run: async (service) => (await listCooperatives(service)).map(renderCooperativeRow),
  }),
  'cooperative.show': operation({
    input: object({ cooperative: text() }),
    run: async (service, { cooperative }) =>
      renderCooperativeRecord(await readCooperative(service, cooperative)),
  }),
  'cooperative.publish': operation({
    input: object({ cooperative: text() }),
    run: async (service, { cooperative }) =>
      renderCooperativeRow(await publishCooperative(service, cooperative)),
  }),
  'cooperative.unpublish': operation({
    input: object({ cooperative: text() }),
    run: async (service, { cooperative }) =>
      renderCooperativeRow(await unpublishCooperative(service, cooperative)),
  }),
  'cooperative.set_price': operation({
    input: object({ cooperative: text(), share_price: positiveAmount() }),
    run: async (service, { cooperative, share_price }) =>
      renderCooperativeRow(await setSharePrice(service, cooperative, readAmount(share_price))),
  }),
}

function renderImport(upserted: readonly UpsertedCooperative[]) {
  const count = (outcome: UpsertedCooperative['outcome']) =>
    upserted.filter((row) => row.outcome === outcome).length
  return {
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    cooperatives: upserted.map(({ cooperative, outcome }) => ({
      ...renderCooperativeRow(cooperative),
      outcome,
    })),
  }
}
