import { hash } from 'node:crypto'
import postgres from 'postgres'
import t from 'tap'
import { createDatabase, stopServer } from '../../../fixtures/postgres/databases.ts'
import { migrations } from '../../../src/adapters/postgres/migrations/migrations.ts'
import { actorKinds, auditOutcomes } from '../../../src/domain/audit/audit-entry.ts'
import {
  affiliations,
  dividendTypes,
  energyCategories,
} from '../../../src/domain/cooperatives/cooperative.ts'
import { imageKinds } from '../../../src/domain/cooperatives/image.ts'
import { currency } from '../../../src/domain/money.ts'
import { clientKinds } from '../../../src/domain/oauth/client.ts'
import { operatorRoles, operatorStates } from '../../../src/domain/operators/operator.ts'
import { collectionStates } from '../../../src/domain/payments/debit-collection.ts'
import { paymentStates, paymentWays } from '../../../src/domain/payments/payment.ts'
import { entryKinds, entryOutcomes, matchingWays } from '../../../src/domain/payments/statement.ts'
import {
  applicantTypes,
  sharePurchaseStatuses,
} from '../../../src/domain/share-purchases/share-purchase.ts'
import { deliveryKinds, deliveryStates } from '../../../src/domain/webhooks/delivery.ts'
import { eventStates, eventTypes } from '../../../src/domain/webhooks/event.ts'
import { environments } from '../../../src/ports/collections.ts'

t.teardown(stopServer)

/** A migration gets its line here when it is written. The lines never change. */
const checksums: Readonly<Record<string, string>> = {
  '0001-schema': '168afc8c8b9f489ba317372ef07c16cdbb9325a22dcfc77eb82acae550593531',
  '0002-tallies': '9e6a46db2640b8d7bbc91576ff23f88eee99f98b681fb31d9de06455726b785c',
  '0003-search-version': 'fadf1841ce5bcd122a747dcd50e3f5d8979ddba634181d145cf2cc83c0de98e5',
  '0004-settled-lists': '74bc4e9254cf6c014d7d5b583622fbab28d3f8c7f675df14384033dcf21abc7a',
  '0005-payments': '3fddde8b9145b1ef7ecbab6bfd8208232bf828b39cf1e5126a61ee76e3c0bc43',
}

t.test('a migration never changes, because databases have applied it', async (t) => {
  const found = migrations.map(({ name, sql }) => [name, hash('sha256', sql)])
  t.strictSame(
    Object.fromEntries(found),
    checksums,
    'If a migration takes values from the domain and these have changed, write the former values into it, and allow the new ones in another migration.',
  )
})

/** The values of columns that the schema restricts. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  audit_entries_actor_kind_check: actorKinds,
  audit_entries_outcome_check: auditOutcomes,
  clients_kind_check: clientKinds,
  cooperatives_affiliation_check: affiliations,
  cooperatives_dividend_type_check: dividendTypes,
  cooperatives_energy_category_check: energyCategories,
  deliveries_kind_check: deliveryKinds,
  deliveries_state_check: deliveryStates,
  images_kind_check: imageKinds,
  operators_role_check: operatorRoles,
  operators_state_check: operatorStates,
  debit_collections_currency_check: [currency],
  debit_collections_state_check: collectionStates,
  payments_currency_check: [currency],
  payments_paid_by_check: paymentWays,
  payments_state_check: paymentStates,
  statement_entries_kind_check: entryKinds,
  statement_entries_matched_by_check: matchingWays,
  statement_entries_outcome_check: entryOutcomes,
  settings_environment_check: environments,
  share_purchases_applicant_type_check: applicantTypes,
  share_purchases_currency_check: [currency],
  share_purchases_status_check: sharePurchaseStatuses,
}

/** The numbers of values that the planner expects, however few have been used so far. */
const counted: Readonly<Record<string, number>> = {
  'debit_collections.state': collectionStates.length,
  'payments.state': paymentStates.length,
  'share_purchases.status': sharePurchaseStatuses.length,
  'events.state': eventStates.length,
  'events.type': eventTypes.length,
}

t.test('the schema allows each value that the domain knows, and no other', async (t) => {
  const { options, drop } = await createDatabase()
  const sql = postgres(options.url, { max: 1 })
  t.teardown(async () => {
    await sql.end()
    await drop()
  })
  const constraints = await sql<{ name: string; text: string }[]>`
    select constraint_name as name, check_clause as text from information_schema.check_constraints
    where constraint_schema = 'public' and check_clause like '%''%' and constraint_name <> 'deliveries_check'`
  const found = constraints.map(({ name, text }) => [
    name,
    [...text.matchAll(/'(\w+)'/g)].map(([, value]) => value),
  ])
  t.strictSame(Object.fromEntries(found), allowed)
  const columns = await sql<{ name: string; text: string }[]>`
    select attrelid::regclass || '.' || attname as name, attoptions[1] as text from pg_attribute
    where attoptions is not null`
  const expected = columns.map(({ name, text }) => [name, Number(text.replace('n_distinct=', ''))])
  t.strictSame(Object.fromEntries(expected), counted)
})
