import { array, assign, boolean, object, optional } from 'superstruct'
import {
  type Cooperative,
  type Coordinates,
  energyCategories,
  type PriceChange,
  type Project,
} from '../domain/cooperatives/cooperative.ts'
import { currency } from '../domain/money.ts'
import type { Creditor } from '../domain/payments/creditor.ts'
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
import type { FixtureChange } from '../usecases/fixtures/fixture-run.ts'
import { setCreditor } from '../usecases/payments/creditors.ts'
import {
  cooperativeChangesShape,
  cooperativeDefinitionShape,
  creditorFields,
  readCooperativeChanges,
  readCooperativeDefinition,
  readCreditor,
  renderCooperativeDefinition,
} from '../wire/cooperative-definition.ts'
import { renderExportedCooperative } from '../wire/exported-fixtures.ts'
import * as given from '../wire/fields.ts'
import * as schemas from '../wire/json-schema.ts'
import {
  amount,
  amountOrNull,
  bool,
  count,
  field,
  fieldsOf,
  id,
  instant,
  listOf,
  many,
  nestedOrNull,
  number,
  numberOrNull,
  oneOf,
  text,
  textOrNull,
  unchanged,
  valuesOf,
  view,
} from '../wire/view.ts'
import { changesOfDryRun } from './fixture-changes.ts'
import { listOperation, operation } from './operation.ts'

const row = view<Cooperative>()('Cooperative row', {
  id: id('Id of the cooperative.', (it) => it.id),
  key: text('Cooperative key.', (it) => it.key),
  name: text('Cooperative name.', (it) => it.name),
  published: bool('Whether partners can see the cooperative.', (it) => it.published),
  city: textOrNull('City where the cooperative is.', (it) => it.city),
  energy_category: oneOf(energyCategories, 'Energy category.', (it) => it.energyCategory),
  share_price: amount('Price of a share.', (it) => it.sharePrice),
  share_price_currency: text('Currency, ISO 4217.', () => currency),
  updated_at: instant('Time of the last change.', (it) => it.updatedAt),
})

const coordinates = view<Coordinates>()('Coordinates', {
  latitude: number('Latitude in degrees.', (it) => it.latitude),
  longitude: number('Longitude in degrees.', (it) => it.longitude),
})

const project = view<Project>()('Project', {
  id: id('Id of the project.', (it) => it.id),
  name: text('Name of the project.', (it) => it.name),
  type: text('Project type, in free text.', (it) => it.type),
  energy_category: oneOf(energyCategories, 'Energy category.', (it) => it.energyCategory),
  city: textOrNull('City of the project.', (it) => it.city),
  capacity_kw: numberOrNull('Capacity in kW.', (it) => it.capacityKw),
  annual_yield_mwh: numberOrNull('Yield in MWh per year.', (it) => it.annualYieldMwh),
  co2_savings_tons: numberOrNull('CO2 savings in tonnes per year.', (it) => it.co2SavingsTons),
  commissioned_on: field(
    schemas.orNull({ ...schemas.text('Date of commissioning.'), format: 'date' }),
    (it: Project) => it.commissionedOn,
  ),
})

const creditor = view<Creditor>()('Creditor', {
  name: text('Name of the creditor.', (it) => it.name),
  creditor_id: text('SEPA creditor identifier.', (it) => it.creditorId),
  iban: text('IBAN of the account.', (it) => it.iban),
  bic: textOrNull('BIC of the bank; null if it is unknown.', (it) => it.bic),
  notice_days: count('Days between the announcement and the due date.', (it) => it.noticeDays),
  lead_days: count('TARGET days between the file and the due date.', (it) => it.leadDays),
})

/** Everything about a cooperative. */
const cooperative = view<Cooperative>()('Cooperative', {
  id: row.fields.id,
  key: row.fields.key,
  name: row.fields.name,
  published: row.fields.published,
  description: textOrNull('Description for investors.', (it) => it.description),
  city: row.fields.city,
  postal_code: textOrNull('Postal code.', (it) => it.postalCode),
  website_url: textOrNull('Website.', (it) => it.websiteUrl),
  energy_category: row.fields.energy_category,
  energy_type: textOrNull('Energy type, in free text.', (it) => it.energyType),
  share_price: row.fields.share_price,
  share_price_currency: row.fields.share_price_currency,
  share_value: amount('Nominal share value.', (it) => it.shareValue),
  share_value_currency: text('Currency, ISO 4217.', () => currency),
  entry_fee: amount('Entry fee for the first order of an investor.', (it) => it.entryFee),
  entry_fee_currency: text('Currency, ISO 4217.', () => currency),
  minimum_shares: count('Minimum number of shares for an investor.', (it) => it.minimumShares),
  dividend_type: text('Dividend type.', (it) => it.dividendType),
  dividend_rate_percent: numberOrNull('Dividend in percent.', (it) => it.dividendRatePercent),
  bafa_funded: bool('Whether BAFA funds the cooperative.', (it) => it.bafaFunded),
  affiliation: text('Affiliation with the platform.', (it) => it.affiliation),
  coordinates: nestedOrNull(coordinates, 'Coordinates of the cooperative.', (it) => it.coordinates),
  projects: listOf(project, 'Projects of the cooperative.', (it) => it.projects),
  images: valuesOf(
    schemas.oneOf(['hero', 'card', 'logo'], ''),
    'Images that the cooperative has.',
    (it) => [
      ...(it.hasHeroImage ? ['hero'] : []),
      ...(it.hasCardImage ? ['card'] : []),
      ...(it.hasLogoImage ? ['logo'] : []),
    ],
  ),
  creditor: nestedOrNull(
    creditor,
    'For whom payments are collected; null if they are not.',
    (it) => it.creditor ?? null,
  ),
  created_at: instant('Time of creation.', (it) => it.createdAt),
  updated_at: row.fields.updated_at,
})

const priceChange = view<PriceChange>()('Price change', {
  at: instant('Time of the change.', (it) => it.at),
  old_price: amountOrNull(
    'Previous share price; null if the cooperative was created with the new price.',
    (it) => it.oldPrice,
  ),
  new_price: amount('New price.', (it) => it.newPrice),
  currency: text('Currency, ISO 4217.', () => currency),
})

const definition = unchanged<object>('Cooperative definition', {
  type: 'object',
  description: 'A cooperative in the form that can be imported.',
})

const importedCooperative = view<UpsertedCooperative>()('Imported cooperative', {
  ...fieldsOf(row, (it: UpsertedCooperative) => it.cooperative),
  outcome: oneOf(['created', 'updated', 'unchanged'], 'What the import did.', (it) => it.outcome),
})

interface Imported {
  readonly upserted: readonly UpsertedCooperative[]
  readonly dryRun: boolean
}

export const imported = view<Imported>()('Imported cooperatives', {
  created: count('Number of new cooperatives.', countOf('created')),
  updated: count('Number of changed cooperatives.', countOf('updated')),
  unchanged: count('Number of unchanged cooperatives.', countOf('unchanged')),
  cooperatives: listOf(importedCooperative, 'The cooperatives in the file.', (it) => it.upserted),
  changes: changesOfDryRun((it: Imported) =>
    it.dryRun ? it.upserted.flatMap(changeOf) : undefined,
  ),
})

function countOf(outcome: UpsertedCooperative['outcome']) {
  return ({ upserted }: Imported) => upserted.filter((each) => each.outcome === outcome).length
}

function changeOf(
  { cooperative: after, outcome, before, images }: UpsertedCooperative,
  index: number,
): FixtureChange[] {
  if (outcome === 'unchanged') return []
  return [{ kind: 'cooperatives', path: `cooperatives.${index}`, before, after, images }]
}

/** An id or a key. */
const one = object({ cooperative: given.text() })
const needsCooperative = { role: 'operator', problems: ['COOPERATIVE_NOT_FOUND'] } as const

export const cooperativeOperations = {
  /** With `dry_run` nothing is stored, and `changes` lists what would change. */
  'cooperative.import': operation({
    role: 'operator',
    summary: 'Create and update cooperatives.',
    note: 'The service recognizes a cooperative by its `key`.',
    problems: ['NAME_TAKEN'],
    input: object({
      cooperatives: array(cooperativeDefinitionShape),
      keep_absent: optional(boolean()),
      dry_run: optional(boolean()),
    }),
    answer: imported,
    run: async (service, { cooperatives, keep_absent: keepAbsent, dry_run: dryRun = false }) => {
      const definitions = cooperatives.map((wire) =>
        readCooperativeDefinition(wire, { keepAbsent }),
      )
      return { upserted: await importCooperatives(service, definitions, { dryRun }), dryRun }
    },
  }),
  'cooperative.export': listOperation({
    role: 'viewer',
    summary: 'Export all cooperatives in the form that an import accepts.',
    note: 'The answer contains images as base64, unless `images` is false.',
    input: object({ images: optional(boolean()) }),
    row: definition,
    batches: async function* (service, { images = true }) {
      if (!images) return yield (await listCooperatives(service)).map(renderCooperativeDefinition)
      for await (const exported of exportCooperatives(service)) {
        yield [renderExportedCooperative(exported)]
      }
    },
  }),
  'cooperative.create': operation({
    role: 'operator',
    summary: 'Create a cooperative.',
    problems: ['NAME_TAKEN'],
    input: cooperativeDefinitionShape,
    answer: cooperative,
    run: (service, wire) => createCooperative(service, readCooperativeDefinition(wire)),
  }),
  'cooperative.update': operation({
    ...needsCooperative,
    summary: 'Change fields of a cooperative.',
    note: 'Fields that you leave out do not change; null removes the value of a field.',
    input: assign(cooperativeChangesShape, one),
    answer: cooperative,
    run: (service, { cooperative: changed, ...changes }) =>
      changeCooperative(service, changed, readCooperativeChanges(changes)),
  }),
  'cooperative.price_history': operation({
    ...needsCooperative,
    role: 'viewer',
    summary: 'List changes of the share price, newest first.',
    input: one,
    answer: many(priceChange),
    run: async (service, input) =>
      (await readCooperative(service, input.cooperative)).priceHistory.toReversed(),
  }),
  'cooperative.list': operation({
    role: 'viewer',
    summary: 'List all cooperatives, including unpublished ones.',
    input: object({}),
    answer: many(row),
    run: listCooperatives,
  }),
  'cooperative.show': operation({
    ...needsCooperative,
    role: 'viewer',
    summary: 'Show a cooperative with its projects.',
    input: one,
    answer: cooperative,
    run: (service, input) => readCooperative(service, input.cooperative),
  }),
  'cooperative.publish': operation({
    ...needsCooperative,
    summary: 'Make a cooperative visible to partners.',
    input: one,
    answer: row,
    run: (service, input) => publishCooperative(service, input.cooperative),
  }),
  'cooperative.unpublish': operation({
    ...needsCooperative,
    summary: 'Hide a cooperative from partners, but keep its orders and holdings.',
    input: one,
    answer: row,
    run: (service, input) => unpublishCooperative(service, input.cooperative),
  }),
  'cooperative.set_price': operation({
    ...needsCooperative,
    summary: 'Set the share price. Existing orders keep their price.',
    input: object({ cooperative: given.text(), share_price: given.positiveAmount() }),
    answer: row,
    run: (service, input) =>
      setSharePrice(service, input.cooperative, given.readAmount(input.share_price)),
  }),
  'cooperative.set_creditor': operation({
    ...needsCooperative,
    summary: 'Set the creditor, for whom payments of the cooperative are collected.',
    note: 'Approved share purchases that have no payment get one, which is due. Collections that exist keep their creditor.',
    input: object({ cooperative: given.text(), ...creditorFields }),
    answer: cooperative,
    run: (service, { cooperative: changed, ...terms }) =>
      setCreditor(service, changed, readCreditor(terms)),
  }),
}
