import postgres from 'postgres'

/**
 * How a column holds a value: as it is, as a number of which no digit may be lost, as an instant, as JSON, as an array of
 * texts, or as bytes that are base64 outside.
 */
export type Kind = 'plain' | 'amount' | 'timestamp' | 'json' | 'texts' | 'base64'

export interface Column {
  readonly field: string
  readonly name: string
  readonly kind: Kind
}

export interface TextParts {
  readonly name: string
  readonly key: readonly string[]
  readonly columns: readonly Column[]
  /** Columns that only the database looks at. */
  readonly extra: readonly string[]
  /** Records get their numbers under a lock that is the last parameter. */
  readonly isNumbered: boolean
  readonly alsoSet: string | undefined
  /** The column that a record has for good, where the key does not say it. */
  readonly keeps: string | undefined
}

/** For one record, with a parameter for each column; and for many, which are JSON in `$1` (their locks, an array, in `$2`). */
export interface PutTexts {
  readonly alone: string
  /** JSON has no bytes: a table with some has no such text. */
  readonly together: string | undefined
}

const parameterForms: Readonly<Record<Kind, string>> = {
  plain: '$',
  amount: '$',
  timestamp: '$',
  json: '$::text::jsonb',
  texts: '$::text::text[]',
  base64: `decode($::text, 'base64')`,
}

const selectForms: Readonly<Record<Kind, string>> = {
  plain: 't.$',
  amount: 't.$::text',
  timestamp: 't.$',
  json: 't.$',
  texts: 'to_json(t.$)',
  base64: `translate(encode(t.$, 'base64'), E'\\n', '')`,
}

/** What stands between `select` and `from`. */
export function selectText({ columns }: TextParts): string {
  return columns
    .map(({ field, name, kind }) => `${selectForms[kind].replace('$', name)} as "${field}"`)
    .join(', ')
}

export function insertTexts(parts: TextParts): PutTexts {
  return { alone: insertAlone(parts), together: insertTogether(parts) }
}

export function upsertTexts(parts: TextParts): PutTexts {
  const { alone, together } = insertTexts(parts)
  const replacement = replacementText(parts)
  return {
    alone: `${alone} ${replacement}`,
    together: together && `${together} ${replacement}`,
  }
}

/** One statement for so many records, each with a parameter for each column. */
export function insertManyText(parts: TextParts, count: number): string {
  const rows = Array.from({ length: count }, (_, row) => `(${parametersOf(parts, row)})`)
  return `insert into ${parts.name} (${namesOf(parts).join(', ')}) values ${rows.join(', ')}`
}

function insertAlone(parts: TextParts): string {
  const names = namesOf(parts)
  const into = `insert into ${parts.name} (${names.join(', ')})`
  const values = parametersOf(parts, 0)
  if (!parts.isNumbered) return `${into} values (${values})`
  const lock = `pg_advisory_xact_lock_shared(hashtextextended($${names.length + 1}, 0))`
  return `${into} select ${values} from (select ${lock} offset 0) as locked`
}

function insertTogether(parts: TextParts): string | undefined {
  if (parts.columns.some(({ kind }) => kind === 'base64')) return undefined
  const names = namesOf(parts)
  const values = names.map((name) => `r.${name}`).join(', ')
  const insert = `insert into ${parts.name} (${names.join(', ')}) select ${values}
    from json_populate_recordset(null::${parts.name}, $1::text::json) r`
  if (!parts.isNumbered) return insert
  const lock = 'count(pg_advisory_xact_lock_shared(hashtextextended(name, 0)))'
  return `with locked as materialized (select ${lock} from unnest($2::text::text[]) name)
    ${insert} cross join locked`
}

/** Of the row of this number, in a statement with several. */
function parametersOf({ columns, extra }: TextParts, row: number): string {
  const kinds = [...columns.map(({ kind }) => kind), ...extra.map(() => 'plain' as const)]
  const first = row * kinds.length + 1
  const values = kinds.map((kind, index) => parameterForms[kind].replace('$', `$${first + index}`))
  return values.join(', ')
}

function namesOf({ columns, extra }: TextParts): string[] {
  return [...columns.map(({ name }) => name), ...extra]
}

function replacementText(parts: TextParts): string {
  const { key, alsoSet } = parts
  const changed = namesOf(parts).filter((name) => !key.includes(name))
  const set = changed.map((name) => `${name} = ${newValueOf(parts, name)}`)
  const all = [...set, ...(alsoSet === undefined ? [] : [alsoSet])].join(', ')
  return `on conflict (${key.join(', ')}) do update set ${all}`
}

/** Of what has to stay as it is, null for anything else, which no such column takes. */
function newValueOf({ name: table, keeps }: TextParts, name: string): string {
  if (name !== keeps) return `excluded.${name}`
  return `case ${table}.${name} when excluded.${name} then excluded.${name} end`
}

export function columnOf(field: string): string {
  return postgres.fromCamel(field)
}
