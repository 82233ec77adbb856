import { object } from 'superstruct'
import { applyFixtures } from '../usecases/fixtures/apply-fixtures.ts'
import { exportFixtures } from '../usecases/fixtures/export-fixtures.ts'
import { operation } from './operation.ts'
import { fixtureFileShape } from './shapes/fixture-file.ts'
import { readFixtureFile } from './shapes/read-fixture-file.ts'
import { renderAppliedFixtures } from './shapes/render-applied-fixtures.ts'
import { renderExportedFixtures } from './shapes/render-exported-fixtures.ts'

export const fixtureOperations = {
  'fixtures.apply': operation({
    input: fixtureFileShape,
    run: async (service, wire) =>
      renderAppliedFixtures(await applyFixtures(service, readFixtureFile(wire))),
  }),
  'fixtures.export': operation({
    input: object({}),
    run: async (service) => renderExportedFixtures(await exportFixtures(service)),
  }),
}
