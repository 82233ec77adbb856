import type { RenderedPart } from '../../wire/exported-fixtures.ts'
import type { RenderedFixtureChange } from '../../wire/fixture-changes.ts'
import { id, instant, type JsonSchema, list, record, refer, text } from '../../wire/json-schema.ts'
import type { Output } from '../operations.ts'
import { event, eventObjects } from './event-objects.ts'
import { investorObjects } from './investor-objects.ts'
import { importedCooperatives, partnerObjects } from './partner-objects.ts'
import { appliedFixtures, changedFields, changedRecord, storeObjects } from './store-objects.ts'

/** Objects in the answers of operations and the output of commands. */
export const sharedObjects: Readonly<Record<string, JsonSchema>> = {
  ...partnerObjects,
  ...investorObjects,
  ...eventObjects,
  ...storeObjects,
}

const changes = list(refer('Fixture change'), 'In a dry run: the changes that it would make.')

type Part<Name extends string> = Extract<RenderedPart, Readonly<Record<Name, unknown>>>

/** All objects in the answers of operations. Commands print some of them in a different form. */
export const operationObjects: Readonly<Record<string, JsonSchema>> = {
  ...sharedObjects,
  'Followed event': record<Output<'event.follow'>[number]>({
    ...event,
    body: text('The exact text that is signed and sent.'),
  }),
  'Start of following': record<Output<'event.follow_from_now'>>({
    organization_id: id('Id of the organization.'),
    name: text('Name of the organization.'),
    since: instant('Current time of the clock that dates events.'),
  }),
  'Applied fixtures': record<Output<'fixtures.apply'>>({ ...appliedFixtures, changes }, [
    'changes',
  ]),
  'Imported cooperatives': record<Output<'cooperative.import'>>(
    { ...importedCooperatives, changes },
    ['changes'],
  ),
  'Fixture change': record<RenderedFixtureChange>({
    ...changedRecord,
    path: text('Path of the record in the input, such as `organizations.0.investors.3`.'),
    fields: changedFields,
  }),
  'Exported organization': record<Part<'organization'>>({
    organization: { type: 'object', description: 'The organization, without its investors.' },
  }),
  'Exported investors': record<Part<'investors'>>({
    investors: list(
      { type: 'object' },
      'Investors of the organization that precedes them in the list.',
    ),
  }),
  'Exported cooperative': record<Part<'cooperative'>>({
    cooperative: { type: 'object', description: 'The cooperative with its images.' },
  }),
}
