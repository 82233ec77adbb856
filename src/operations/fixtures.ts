import { assign, boolean, object, optional } from 'superstruct'
import { applyFixtures } from '../usecases/fixtures/apply-fixtures.ts'
import { exportFixtures } from '../usecases/fixtures/export-fixtures.ts'
import { fixtureFaults } from '../usecases/fixtures/fixture-faults.ts'
import type { Service } from '../usecases/service.ts'
import { listOperation, operation } from './operation.ts'
import { fixtureFileShape } from './shapes/fixture-file.ts'
import { readFixtureFile } from './shapes/read-fixture-file.ts'
import { readFixtureParts } from './shapes/read-fixture-parts.ts'
import { renderAppliedFixtures } from './shapes/render-applied-fixtures.ts'
import { joinExportedParts, renderExportedPart } from './shapes/render-exported-fixtures.ts'
import { renderFixtureChange } from './shapes/render-fixture-change.ts'

const applyInput = assign(fixtureFileShape, object({ dry_run: optional(boolean()) }))

const exportInParts = listOperation({
  input: object({}),
  batches: async function* (service) {
    for await (const part of exportFixtures(service)) yield [renderExportedPart(part)]
  },
})

export const fixtureOperations = {
  /** With `dry_run` nothing is kept, and `changes` says what would be different. */
  'fixtures.apply': operation({
    input: applyInput,
    run: async (service, { dry_run: dryRun, ...wire }) => {
      const applied = await applyFixtures(service, readFixtureFile(wire), { dryRun })
      // Secrets that were drawn have been taken back, too: nobody could use them.
      const told = dryRun ? { ...applied, minted: [], mintedWebhooks: [] } : applied
      const changes = dryRun && applied.changes.map(renderFixtureChange)
      return { ...renderAppliedFixtures(told), ...(changes && { changes }) }
    },
    findFaults: ({ clock }, parts) => fixtureFaults(readFixtureParts(parts), clock.now()),
  }),
  /** In parts, which follow each other as they stand in a file; `run` joins them. */
  'fixtures.export': {
    ...exportInParts,
    run: async (service: Service, input: Record<string, never>) =>
      joinExportedParts(await exportInParts.run(service, input)),
  },
}
