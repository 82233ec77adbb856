import { array, object } from 'superstruct'
import {
  listCooperatives,
  publishCooperative,
  readCooperative,
  setSharePrice,
  unpublishCooperative,
} from '../usecases/cooperatives/cooperatives.ts'
import {
  importCooperatives,
  type UpsertedCooperative,
} from '../usecases/cooperatives/import-cooperatives.ts'
import {
  cooperativeDefinitionShape,
  readCooperativeDefinition,
  renderCooperativeRecord,
  renderCooperativeRow,
} from '../wire/cooperative-definition.ts'
import { positiveAmount, readAmount, text } from '../wire/fields.ts'
import { operation } from './operation.ts'

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
