import type { Collection, Key } from '../store/collection.ts'
import type { Change } from '../store/staged.ts'
import type { Proof } from '../store/transaction.ts'
import { rowsOf } from './rows.ts'

/** What a work has read and puts. */
export interface Commitment {
  readonly proof: Proof
  readonly changes: readonly Change[]
}

interface CallOptions {
  readonly notifies: boolean
  readonly isBlind: boolean
}

type Rows = object[]

interface Part {
  reads?: Rows
  inserts?: Rows
  puts?: Rows
  removals?: Rows
}

/**
 * `works` of the function commit_works, by table: each row with the number `w` of the work that it belongs to. `isBlind`:
 * what no work has looked for is taken for new, which costs less.
 */
export function writeCall(
  works: readonly Commitment[],
  { notifies, isBlind }: CallOptions,
): string {
  const tables = new Map<string, Part>()
  const kept = new Map<string, boolean>()
  const versions: object[] = []
  const reads: { readonly table: string; readonly key: string; readonly row: object }[] = []
  const add = (table: string, list: keyof Part, row: object) => {
    const part = tables.get(table) ?? {}
    tables.set(table, part)
    const rows = part[list] ?? []
    part[list] = rows
    rows.push(row)
  }
  for (const [w, { proof, changes }] of works.entries()) {
    const seen = new Map<string, string | null>()
    const changed = new Set(changes.map(nameOf))
    for (const [{ row }, version] of proof.collections) {
      if (!kept.has(row.table)) kept.set(row.table, false)
      versions.push({ w, name: row.table, v: version })
    }
    for (const { collection, key, version } of proof.rows) {
      const name = nameOf({ collection, key })
      const v = version === null ? null : String(version)
      seen.set(name, v)
      const row = { w, v, p: changed.has(name), ...rowsOf(collection).writeKey(key) }
      reads.push({ table: collection.row.table, key: key.join('/'), row })
    }
    for (const change of changes) {
      const { collection, key, record, version } = change
      const { table } = collection.row
      if (collection.isKept) kept.set(table, true)
      const rows = rowsOf(collection)
      if (!record) {
        const v = version === undefined ? null : String(version)
        add(table, 'removals', { w, v, ...rows.writeKey(key) })
        continue
      }
      // What was not there is refused when somebody else has made it since.
      const before = seen.get(nameOf(change))
      const list = before === null || (before === undefined && isBlind) ? 'inserts' : 'puts'
      add(table, list, { w, ...rows.write(record) })
    }
  }
  // Everybody locks in the same order.
  reads.sort((left, right) => (left.key < right.key ? -1 : 1))
  for (const { table, row } of reads) add(table, 'reads', row)
  return JSON.stringify({
    ...Object.fromEntries(tables),
    ...(kept.size > 0 && {
      kept: [...kept]
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([name, p]) => ({ name, p })),
      versions,
    }),
    ...(notifies && { notify: true }),
  })
}

/** A row, by a name that no other one has. */
export function nameOf({
  collection,
  key,
}: {
  readonly collection: Collection<object>
  readonly key: Key
}): string {
  return `${collection.name}/${key.join('/')}`
}
