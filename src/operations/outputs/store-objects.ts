import type { RenderedField } from '../../wire/fixture-changes.ts'
import {
  byName,
  count,
  either,
  instant,
  type JsonSchema,
  list,
  orNull,
  record,
  refer,
  text,
  truth,
} from '../../wire/json-schema.ts'
import type { Output } from '../operations.ts'

type Check = Output<'store.check'>

const records = byName(count(''), 'Number of records of each kind.')
const scalar = either({ type: 'string' }, { type: 'number' }, { type: 'boolean' })

export const storeObjects: Readonly<Record<string, JsonSchema>> = {
  'Fixture counts': record<Output<'fixtures.apply'>['created']>({
    organizations: count('Number of organizations.'),
    clients: count('Number of clients.'),
    webhooks: count('Number of webhook endpoints.'),
    cooperatives: count('Number of cooperatives.'),
    investors: count('Number of investors.'),
    share_purchases: count('Number of share purchases.'),
  }),
  'Changed field': record<Exclude<RenderedField, { hidden: true }>>({
    field: text('Path of the field.'),
    before: orNull({ ...scalar, description: 'Value in the store.' }),
    after: orNull({ ...scalar, description: 'Value in the file.' }),
  }),
  'Hidden field': record<Extract<RenderedField, { hidden: true }>>({
    field: text('Path of the field.'),
    hidden: { ...truth('The values are confidential.'), const: true },
  }),
  'Store check': record<Check>({
    sound: truth('Whether nothing is wrong.'),
    records,
    torn_bytes: count('Bytes of an incomplete last line, which was never acknowledged.'),
    sealed_values: orNull(count('Number of checked encrypted values; null without a key.')),
    problems: list(text(''), 'What is wrong, one sentence each.'),
    moved: orNull(refer('Store move', 'Where the store was copied to.')),
    journal_end: orNull(refer('Journal position', 'End of the last journal; null in a database.')),
  }),
  'Store move': record<NonNullable<Check['moved']>>({
    to: text('Directory, or address of a database without user and password.'),
    at: instant('Time of the copy.'),
  }),
  'Journal position': record<NonNullable<Check['journal_end']>>({
    journal: count('Number of the journal.'),
    bytes: count('Length of the journal.'),
  }),
  'Compacted store': record<Output<'store.compact'>>({
    bytes_before: count('Size before, in bytes.'),
    bytes_after: count('Size after, in bytes.'),
    records,
  }),
}
