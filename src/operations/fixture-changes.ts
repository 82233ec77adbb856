import type { FixtureChange } from '../usecases/fixtures/fixture-run.ts'
import {
  type RenderedField,
  type RenderedFixtureChange,
  renderFixtureChange,
} from '../wire/fixture-changes.ts'
import * as schemas from '../wire/json-schema.ts'
import { field, ifPresent, oneOf, text, view } from '../wire/view.ts'

type ChangedField = Exclude<RenderedField, { hidden: true }>
type HiddenField = Extract<RenderedField, { hidden: true }>

const scalar = schemas.either({ type: 'string' }, { type: 'number' }, { type: 'boolean' })
const scalarOrNull = (description: string) => schemas.orNull({ ...scalar, description })

const changedField = view<ChangedField>()('Changed field', {
  field: text('Path of the field.', (it) => it.field),
  before: field(scalarOrNull('Value in the store.'), (it: ChangedField) => it.before),
  after: field(scalarOrNull('Value in the file.'), (it: ChangedField) => it.after),
})

const hiddenField = view<HiddenField>()('Hidden field', {
  field: text('Path of the field.', (it) => it.field),
  hidden: field(
    { ...schemas.bool('The values are confidential.'), const: true },
    (it: HiddenField) => it.hidden,
  ),
})

export const fixtureChange = view<RenderedFixtureChange>()('Fixture change', {
  kind: oneOf(
    ['organization', 'client', 'webhook', 'cooperative', 'investor', 'share_purchase'],
    'Record kind.',
    (it) => it.kind,
  ),
  name: text('Id, name, URL or key of the record.', (it) => it.name),
  outcome: oneOf(['created', 'updated'], 'What happens to the record.', (it) => it.outcome),
  path: text(
    'Path of the record in the input, such as `organizations.0.investors.3`.',
    (it) => it.path,
  ),
  fields: {
    schema: schemas.list(
      schemas.either(changedField.schema, hiddenField.schema),
      'Fields that change; empty for a new record.',
    ),
    views: [changedField, hiddenField],
    of: (it: RenderedFixtureChange) => it.fields,
  },
})

/** The changes of a dry run; the key is left out otherwise. */
export function changesOfDryRun<Source>(
  of: (source: Source) => readonly FixtureChange[] | undefined,
) {
  return ifPresent({
    schema: schemas.list(fixtureChange.schema, 'In a dry run: the changes that it would make.'),
    views: fixtureChange.views,
    of: (source: Source) => of(source)?.map(renderFixtureChange),
  })
}
