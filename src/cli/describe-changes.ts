import type { RenderedField } from '../operations/shapes/render-fixture-change.ts'
import type { ApplyChange } from './apply-files.ts'

const longestValue = 60

const nouns: Readonly<Record<ApplyChange['kind'], string>> = {
  organization: 'organization',
  client: 'client',
  webhook: 'webhook',
  cooperative: 'cooperative',
  investor: 'investor',
  share_purchase: 'share purchase',
}

/** One line for each field that changes, and one for each thing that is new. */
export function describeChanges(changes: readonly ApplyChange[]): string {
  return changes.flatMap(linesOf).join('\n')
}

function linesOf({ at, kind, name, outcome, fields }: ApplyChange): string[] {
  const start = `${at}: ${nouns[kind]} ${name}:`
  if (outcome === 'created') return [`${start} new`]
  return fields.map((field) => `${start} ${describeField(field)}`)
}

function describeField(change: RenderedField): string {
  if ('hidden' in change) return `${change.field} changed`
  return `${change.field} ${textOf(change.before)} -> ${textOf(change.after)}`
}

function textOf(value: string | number | boolean | null): string {
  if (value === null) return '-'
  const text = String(value)
  const isPlain = text.length <= longestValue && !/\n/.test(text)
  return isPlain ? text : `${JSON.stringify(text).slice(0, longestValue)}…`
}
