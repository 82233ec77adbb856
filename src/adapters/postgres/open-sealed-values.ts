import type { Vault } from '../../ports/vault.ts'
import { type SealedCollection, SealedValues, sealedCollections } from '../sealed-values.ts'
import type { Ask, Value } from './statements.ts'
import { columnOf } from './table-texts.ts'
import { tables } from './tables/tables.ts'

const batchSize = 500

type Row = Readonly<Record<string, Value>>

/** In batches, by the key of each table: one statement for all of them would hold all of them. */
export async function openSealedValues(ask: Ask, vault: Vault): Promise<SealedValues> {
  const sealed = new SealedValues(vault)
  for (const collection of sealedCollections) {
    const table = tables[collection]
    for (let rows = await readBatch(ask, collection); rows.length > 0; ) {
      sealed.open(collection, table.all(rows as never))
      rows = await readBatch(ask, collection, rows.at(-1))
    }
  }
  return sealed
}

function readBatch(ask: Ask, collection: SealedCollection, after?: Row): Promise<readonly Row[]> {
  const { name, key, selected } = tables[collection]
  const columns = key.map((field) => `t.${columnOf(field)}`).join(', ')
  const parameters = key.map((_, index) => `$${index + 1}`).join(', ')
  const behind = after ? `where (${columns}) > (${parameters})` : ''
  const text = `select ${selected} from ${name} t ${behind} order by ${columns} limit ${batchSize}`
  return ask<Row>(text, after && key.map((field) => after[field] ?? null))
}
