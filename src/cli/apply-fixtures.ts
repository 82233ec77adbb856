import { Problem } from '../domain/problem.ts'
import { PartlyApplied } from '../operations/apply-in-parts.ts'
import { imported } from '../operations/cooperatives.ts'
import { fixtureChange } from '../operations/fixture-changes.ts'
import { applied } from '../operations/fixtures.ts'
import type { Output } from '../operations/operations.ts'
import type { RenderedFixtureChange } from '../wire/fixture-changes.ts'
import {
  bool,
  field,
  ifPresent,
  listOf,
  plain,
  type Rendered,
  rendered,
  text,
  view,
} from '../wire/view.ts'
import type { FilePlaces } from './files/located-document.ts'
import { renderFields, renderTable } from './table.ts'

const { path: _, fields, ...changeFields } = fixtureChange.fields

const locatedChange = view<RenderedFixtureChange & { readonly at: string }>()('Fixture change', {
  ...changeFields,
  /** `partners.yaml:12` */
  at: text('File and line that declare the record.', (it) => it.at),
  fields,
})
export type ApplyChange = Rendered<typeof locatedChange>

/** The answer of an operation, with the changes and their places in the files. */
const dry_run = ifPresent(
  field<unknown, true>({
    ...bool('Present in a dry run, which changes nothing.').schema,
    const: true,
  }),
)
const changes = ifPresent(
  listOf(rendered(locatedChange), 'What changes; present in production and in a dry run.'),
)

const { changes: __, ...appliedFields } = applied.fields
export const appliedFixtures = plain('Applied fixtures', { dry_run, ...appliedFields, changes })

const { changes: ___, ...importedFields } = imported.fields
export const importedCooperatives = plain('Imported cooperatives', {
  dry_run,
  ...importedFields,
  changes,
})

type Applied = Output<'fixtures.apply'>

export function locateChanges(
  changes: readonly RenderedFixtureChange[] = [],
  files: FilePlaces,
): ApplyChange[] {
  return changes.map((change) =>
    locatedChange.render({ ...change, at: files.placeOf(change.path) }),
  )
}

/** The lines of the files, and what was applied before the refusal. */
export function explainRefusal(error: unknown, files: FilePlaces): unknown {
  const explained = files.explain(error)
  if (!(error instanceof PartlyApplied) || !(explained instanceof Problem)) return explained
  if (explained.message.includes(error.advice)) return explained
  return new Problem(explained.code, `${explained.message}\n${error.advice}`)
}

/** Changes that a person has to confirm in production. */
export function countUpdates(changes: readonly ApplyChange[]) {
  const count = (kind: ApplyChange['kind']) =>
    changes.filter((change) => change.kind === kind && change.outcome === 'updated').length
  return { investors: count('investor'), cooperatives: count('cooperative') }
}

const longestValue = 60

export function describeChanges(changes: readonly ApplyChange[]): string {
  if (changes.length === 0) return 'Nothing would change.'
  const lines = changes.flatMap(({ at, kind, name, outcome, fields }) => {
    const start = `${at}: ${kind.replace('_', ' ')} ${name}:`
    if (outcome === 'created') return [`${start} new`]
    return fields.map((change) =>
      'hidden' in change
        ? `${start} ${change.field} changed`
        : `${start} ${change.field} ${textOf(change.before)} -> ${textOf(change.after)}`,
    )
  })
  return lines.join('\n')
}

function textOf(value: string | number | boolean | null): string {
  if (value === null) return '-'
  const text = String(value)
  const isPlain = text.length <= longestValue && !/\n/.test(text)
  return isPlain ? text : `${JSON.stringify(text).slice(0, longestValue)}…`
}

/** The text contains new secrets. */
export function describeApplied({ clients, webhooks, ...counts }: Applied): string {
  const kinds = Object.keys(counts.created) as (keyof typeof counts.created)[]
  const table = renderTable(kinds, {
    KIND: (kind) => kind,
    CREATED: (kind) => counts.created[kind],
    UPDATED: (kind) => counts.updated[kind],
    UNCHANGED: (kind) => counts.unchanged[kind],
  })
  const secrets = clients.map(({ organization, client_id, client_secret }) =>
    renderFields({ organization, client_id, client_secret }),
  )
  const signingSecrets = webhooks.map(({ organization, url, signing_secret }) =>
    renderFields({ organization, url, signing_secret }),
  )
  return [table, ...secrets, ...signingSecrets].join('\n\n')
}
