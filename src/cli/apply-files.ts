import type { Output } from '../operations/operations.ts'
import type { RenderedFixtureChange } from '../operations/shapes/render-fixture-change.ts'
import type { Connection } from './connection.ts'
import type { FixtureFiles } from './read-fixture-files.ts'

export type Applied = Output<'fixtures.apply'>

/** What would be different, and where a file says so. */
export interface ApplyChange extends Omit<RenderedFixtureChange, 'path'> {
  /** `partners.yaml:12` */
  readonly at: string
}

export interface CheckedFiles {
  readonly applied: Applied
  readonly changes: readonly ApplyChange[]
}

/** Tries what the files declare. Nothing is kept. */
export async function checkFiles(service: Connection, files: FixtureFiles): Promise<CheckedFiles> {
  const { changes = [], ...applied } = await call(service, files, true)
  const located = changes.map(({ path, ...change }) => ({ ...change, at: files.placeOf(path) }))
  return { applied, changes: located }
}

export function applyFiles(service: Connection, files: FixtureFiles): Promise<Applied> {
  return call(service, files, undefined)
}

function call(service: Connection, files: FixtureFiles, dry_run: boolean | undefined) {
  return service.call('fixtures.apply', { ...files.input, dry_run }).catch((error) => {
    throw files.explain(error)
  })
}

/** What production wants a person to have seen before. */
export function countUpdates(changes: readonly ApplyChange[]) {
  const count = (kind: ApplyChange['kind']) =>
    changes.filter((change) => change.kind === kind && change.outcome === 'updated').length
  return { investors: count('investor'), cooperatives: count('cooperative') }
}
