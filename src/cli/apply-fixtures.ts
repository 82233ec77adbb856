import { Problem } from '../domain/problem.ts'
import { PartlyApplied } from '../operations/apply-in-parts.ts'
import type { Output } from '../operations/operations.ts'
import type { RenderedFixtureChange } from '../wire/fixture-changes.ts'
import type { FilePlaces } from './files/located-document.ts'
import { renderFields, renderTable } from './table.ts'

export type Applied = Output<'fixtures.apply'>

export interface ApplyChange extends Omit<RenderedFixtureChange, 'path'> {
  /** `partners.yaml:12` */
  readonly at: string
}

export function locateChanges(
  changes: readonly RenderedFixtureChange[] = [],
  files: FilePlaces,
): ApplyChange[] {
  return changes.map(({ path, ...change }) => ({ ...change, at: files.placeOf(path) }))
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
