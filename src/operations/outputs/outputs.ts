import type { RenderedPart } from '../../wire/exported-fixtures.ts'
import type { RenderedFixtureChange } from '../../wire/fixture-changes.ts'
import {
  either,
  id,
  instant,
  type JsonSchema,
  list,
  oneOf,
  record,
  refer,
  text,
} from '../../wire/json-schema.ts'
import type { Output } from '../operations.ts'
import { event, eventObjects } from './event-objects.ts'
import { investorObjects } from './investor-objects.ts'
import { importedCooperatives, partnerObjects } from './partner-objects.ts'
import { storeObjects } from './store-objects.ts'

/** Objects in the answers of operations and the output of commands. */
export const sharedObjects: Readonly<Record<string, JsonSchema>> = {
  ...partnerObjects,
  ...investorObjects,
  ...eventObjects,
  ...storeObjects,
}

const counts = (description: string) => refer('Fixture counts', description)

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
  'Applied fixtures': record<Output<'fixtures.apply'>>(
    {
      created: counts('Numbers of new records.'),
      updated: counts('Numbers of changed records.'),
      unchanged: counts('Numbers of unchanged records.'),
      clients: list(refer('Applied client'), 'Clients with new secrets.'),
      webhooks: list(refer('Applied webhook endpoint'), 'New webhook endpoints.'),
      changes: list(refer('Fixture change'), 'In a dry run: the changes that it would make.'),
    },
    ['changes'],
  ),
  'Imported cooperatives': record<Output<'cooperative.import'>>(
    {
      ...importedCooperatives,
      changes: list(refer('Fixture change'), 'In a dry run: the changes that it would make.'),
    },
    ['changes'],
  ),
  'Fixture change': record<RenderedFixtureChange>({
    kind: oneOf(
      ['organization', 'client', 'webhook', 'cooperative', 'investor', 'share_purchase'],
      'Kind of the record.',
    ),
    name: text('Id, name, URL or key of the record.'),
    outcome: oneOf(['created', 'updated'], 'What happens to the record.'),
    path: text('Path of the record in the input, such as `organizations.0.investors.3`.'),
    fields: list(
      either(refer('Changed field'), refer('Hidden field')),
      'Fields that change; empty for a new record.',
    ),
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
