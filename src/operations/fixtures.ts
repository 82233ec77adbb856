import { assign, boolean, object, optional } from 'superstruct'
import { type AppliedFixtures, applyFixtures } from '../usecases/fixtures/apply-fixtures.ts'
import { type ExportOptions, exportFixtures } from '../usecases/fixtures/export-fixtures.ts'
import { fixtureErrors } from '../usecases/fixtures/fixture-errors.ts'
import type {
  FixtureCounts,
  MintedFixtureClient,
  MintedFixtureWebhook,
} from '../usecases/fixtures/fixture-run.ts'
import type { Service } from '../usecases/service.ts'
import { joinExportedParts, renderExportedPart } from '../wire/exported-fixtures.ts'
import { renderFixtureChange } from '../wire/fixture-changes.ts'
import { fixtureFileShape, readFixtureFile, readPartialFixtures } from '../wire/fixture-file.ts'
import { renderMintedClient } from './oauth.ts'
import { listOperation, operation } from './operation.ts'
import { renderMintedWebhookEndpoint } from './webhooks.ts'

const applyInput = assign(
  fixtureFileShape,
  object({ dry_run: optional(boolean()), past: optional(boolean()) }),
)

const exportInParts = listOperation({
  input: object({ past: optional(boolean()) }),
  batches: async function* (service, options) {
    for await (const part of exportFixtures(service, options)) yield [renderExportedPart(part)]
  },
})

export const fixtureOperations = {
  /** With `dry_run` nothing is stored, and `changes` lists what would change. */
  'fixtures.apply': operation({
    input: applyInput,
    run: async (service, { dry_run: dryRun, past, ...wire }) => {
      const applied = await applyFixtures(service, readFixtureFile(wire), { dryRun, past })
      // Secrets of a dry run were never stored, so nobody could use them.
      const shown = dryRun ? { ...applied, minted: [], mintedWebhooks: [] } : applied
      const changes = dryRun && applied.changes.map(renderFixtureChange)
      return { ...renderAppliedFixtures(shown), ...(changes && { changes }) }
    },
    findErrors: ({ clock }, parts) => fixtureErrors(readPartialFixtures(parts), clock.now()),
  }),
  /** The parts are in the order of a file; `run` joins them. */
  'fixtures.export': {
    ...exportInParts,
    run: async (service: Service, input: ExportOptions) =>
      joinExportedParts(await exportInParts.run(service, input)),
  },
}

function renderAppliedFixtures({ counts, minted, mintedWebhooks }: AppliedFixtures) {
  return {
    created: renderCounts(counts.created),
    updated: renderCounts(counts.updated),
    unchanged: renderCounts(counts.unchanged),
    clients: minted.map(renderFixtureClient),
    webhooks: mintedWebhooks.map(renderFixtureWebhook),
  }
}

function renderCounts({ sharePurchases, ...counts }: Readonly<FixtureCounts>) {
  return { ...counts, share_purchases: sharePurchases }
}

function renderFixtureClient({ organization, ...minted }: MintedFixtureClient) {
  return { ...renderMintedClient(minted), organization: organization.name }
}

function renderFixtureWebhook({ organization, ...minted }: MintedFixtureWebhook) {
  return { ...renderMintedWebhookEndpoint(minted), organization: organization.name }
}
