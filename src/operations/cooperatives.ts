import { array, assign, boolean, object, optional } from 'superstruct'
import {
  changeCooperative,
  listCooperatives,
  publishCooperative,
  readCooperative,
  setSharePrice,
  unpublishCooperative,
} from '../usecases/cooperatives/cooperatives.ts'
import {
  createCooperative,
  importCooperatives,
  type UpsertedCooperative,
} from '../usecases/cooperatives/import-cooperatives.ts'
import { exportCooperatives } from '../usecases/fixtures/export-fixtures.ts'
import {
  cooperativeChangesShape,
  cooperativeDefinitionShape,
  readCooperativeChanges,
  readCooperativeDefinition,
  renderCooperativeDefinition,
  renderCooperativeRecord,
  renderCooperativeRow,
  renderPriceHistory,
} from '../wire/cooperative-definition.ts'
import { renderExportedCooperative } from '../wire/exported-fixtures.ts'
import { positiveAmount, readAmount, text } from '../wire/fields.ts'
import { renderFixtureChange } from '../wire/fixture-changes.ts'
import { listOperation, operation } from './operation.ts'

/** `cooperative` is an id or a key. */
export const cooperativeOperations = {
  /** With `dry_run` nothing is stored, and `changes` lists what would change. */
  'cooperative.import': operation({
    input: object({
      cooperatives: array(cooperativeDefinitionShape),
      keep_absent: optional(boolean()),
      dry_run: optional(boolean()),
    }),
    run: async (service, { cooperatives, keep_absent: keepAbsent, dry_run: dryRun }) => {
      const definitions = cooperatives.map((wire) =>
        readCooperativeDefinition(wire, { keepAbsent }),
      )
      const upserted = await importCooperatives(service, definitions, { dryRun })
      return { ...renderImport(upserted), ...(dryRun && { changes: renderChanges(upserted) }) }
    },
  }),
  'cooperative.export': listOperation({
    input: object({ images: optional(boolean()) }),
    batches: async function* (service, { images = true }) {
      if (!images) return yield (await listCooperatives(service)).map(renderCooperativeDefinition)
      for await (const exported of exportCooperatives(service)) {
        yield [renderExportedCooperative(exported)]
      }
    },
  }),
  'cooperative.create': operation({
    input: cooperativeDefinitionShape,
    run: async (service, wire) =>
      renderCooperativeRecord(await createCooperative(service, readCooperativeDefinition(wire))),
  }),
  'cooperative.update': operation({
    input: assign(cooperativeChangesShape, object({ cooperative: text() })),
    run: async (service, { cooperative, ...changes }) =>
      renderCooperativeRecord(
        await changeCooperative(service, cooperative, readCooperativeChanges(changes)),
      ),
  }),
  /** Newest first. */
  'cooperative.price_history': operation({
    input: object({ cooperative: text() }),
    run: async (service, { cooperative }) =>
      renderPriceHistory(await readCooperative(service, cooperative)),
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

function renderChanges(upserted: readonly UpsertedCooperative[]) {
  return upserted.flatMap(({ cooperative: after, outcome, before, images }, index) =>
    outcome === 'unchanged'
      ? []
      : [
          renderFixtureChange({
            kind: 'cooperatives',
            path: `cooperatives.${index}`,
            before,
            after,
            images,
          }),
        ],
  )
}
