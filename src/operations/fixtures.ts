import { assign, boolean, object, optional } from 'superstruct'
import { Problem } from '../domain/problem.ts'
import { type AppliedFixtures, applyFixtures } from '../usecases/fixtures/apply-fixtures.ts'
import { type ExportOptions, exportFixtures } from '../usecases/fixtures/export-fixtures.ts'
import { fixtureErrors } from '../usecases/fixtures/fixture-errors.ts'
import type {
  FixtureChange,
  FixtureCounts,
  MintedFixtureClient,
  MintedFixtureWebhook,
} from '../usecases/fixtures/fixture-run.ts'
import type { Service } from '../usecases/service.ts'
import {
  joinExportedParts,
  type RenderedPart,
  renderExportedPart,
} from '../wire/exported-fixtures.ts'
import { fixtureFileShape, readFixtureFile, readPartialFixtures } from '../wire/fixture-file.ts'
import * as schemas from '../wire/json-schema.ts'
import { toWireProblem } from '../wire/problems.ts'
import { count, listOf, nested, type Rendered, text, unchanged, view } from '../wire/view.ts'
import { type ApplyInput, applyInParts } from './apply-in-parts.ts'
import { changesOfDryRun } from './fixture-changes.ts'
import { mintedClient } from './oauth.ts'
import { listOperation, operation } from './operation.ts'
import { mintedEndpoint } from './webhooks.ts'

const fixtureCounts = view<Readonly<FixtureCounts>>()('Fixture counts', {
  organizations: count('Number of organizations.', (it) => it.organizations),
  clients: count('Number of clients.', (it) => it.clients),
  webhooks: count('Number of webhook endpoints.', (it) => it.webhooks),
  cooperatives: count('Number of cooperatives.', (it) => it.cooperatives),
  investors: count('Number of investors.', (it) => it.investors),
  share_purchases: count('Number of share purchases.', (it) => it.sharePurchases),
})

const appliedClient = view<MintedFixtureClient>()('Applied client', {
  ...mintedClient.fields,
  organization: text('Organization name.', (it) => it.organization.name),
})

const appliedEndpoint = view<MintedFixtureWebhook>()('Applied webhook endpoint', {
  ...mintedEndpoint.fields,
  organization: text('Organization name.', (it) => it.organization.name),
})

interface Applied extends AppliedFixtures {
  readonly changesOfDryRun: readonly FixtureChange[] | undefined
}

export const applied = view<Applied>()('Applied fixtures', {
  created: nested(fixtureCounts, 'Numbers of new records.', (it) => it.counts.created),
  updated: nested(fixtureCounts, 'Numbers of changed records.', (it) => it.counts.updated),
  unchanged: nested(fixtureCounts, 'Numbers of unchanged records.', (it) => it.counts.unchanged),
  clients: listOf(appliedClient, 'Clients with new secrets.', (it) => it.minted),
  webhooks: listOf(appliedEndpoint, 'New webhook endpoints.', (it) => it.mintedWebhooks),
  changes: changesOfDryRun((it: Applied) => it.changesOfDryRun),
})

type Part<Name extends string> = Extract<RenderedPart, Readonly<Record<Name, unknown>>>
const anObject = { type: 'object' }

const exportedOrganization = unchanged<Part<'organization'>>('Exported organization', {
  type: 'object',
  properties: {
    organization: { ...anObject, description: 'The organization, without its investors.' },
  },
  required: ['organization'],
})

const exportedInvestors = unchanged<Part<'investors'>>('Exported investors', {
  type: 'object',
  properties: {
    investors: schemas.list(
      anObject,
      'Investors of the organization that precedes them in the list.',
    ),
  },
  required: ['investors'],
})

const exportedCooperative = unchanged<Part<'cooperative'>>('Exported cooperative', {
  type: 'object',
  properties: { cooperative: { ...anObject, description: 'The cooperative with its images.' } },
  required: ['cooperative'],
})

const parts = [exportedOrganization, exportedInvestors, exportedCooperative]

const exportInParts = listOperation({
  role: 'administrator',
  summary: 'Export the store as parts of a fixture file.',
  note: 'The answer contains personal data. Each organization comes before its investors.',
  input: object({ past: optional(boolean()) }),
  row: {
    schema: schemas.either(...parts.map(({ schema }) => schema)),
    views: parts,
    render: renderExportedPart,
  },
  batches: async function* (service, options) {
    for await (const part of exportFixtures(service, options)) yield [part]
  },
})

export const fixtureOperations = {
  /** With `dry_run` nothing is stored, and `changes` lists what would change. */
  'fixtures.apply': operation({
    role: 'administrator',
    summary: 'Create and update everything that a fixture file describes. Safe to run repeatedly.',
    note: 'The service checks everything before it applies anything. More than 300 records are applied in parts, each completely or not at all; after a stop, send the same input again. Images are base64 in the input.',
    problems: [
      'COOPERATIVE_NOT_FOUND',
      'ENDPOINT_LIMIT_REACHED',
      'INVESTOR_PROFILE_INCOMPLETE',
      'MANAGED_INVESTOR_PROFILE_CONFLICT',
      'NAME_TAKEN',
      'PURCHASE_DEFAULTS_UNAVAILABLE',
      'REPRESENTATION_CONSENT_REQUIRES_COMPANY',
      'SECRET_LIMIT_REACHED',
      'SHARE_PURCHASE_ILLEGAL_STATE',
      'TESTING_AID_IN_PRODUCTION',
      'WEBHOOK_URL_REFUSED',
    ],
    input: assign(
      fixtureFileShape,
      object({ dry_run: optional(boolean()), past: optional(boolean()) }),
    ),
    answer: { ...applied, render: (it: RenderedFixtures) => it },
    run: (service, input) => applyInParts(input, (part) => applyPart(service, part)),
    findErrors: ({ clock }, parts) => fixtureErrors(readPartialFixtures(parts), clock.now()),
  }),
  /** The parts are in the order of a file; `run` joins them. */
  'fixtures.export': {
    ...exportInParts,
    run: async (service: Service, input: ExportOptions) =>
      joinExportedParts(await exportInParts.run(service, input)),
  },
}

type RenderedFixtures = Rendered<typeof applied>

async function applyPart(
  service: Service,
  { dry_run: dryRun, past, ...wire }: ApplyInput,
): Promise<RenderedFixtures> {
  try {
    const result = await applyFixtures(service, readFixtureFile(wire), { dryRun, past })
    return applied.render(
      dryRun
        ? // Secrets of a dry run were never stored, so nobody could use them.
          { ...result, minted: [], mintedWebhooks: [], changesOfDryRun: result.changes }
        : { ...result, changesOfDryRun: undefined },
    )
  } catch (error) {
    throw error instanceof Problem ? toWireProblem(error) : error
  }
}
