import { textArray } from '../statements.ts'
import type { Transaction } from '../transaction.ts'
import type { Member, SharedPut } from './member.ts'

/** What all have put, a statement for each way to put into a table. */
export function sendChanges(transaction: Transaction, members: readonly Member[]): void {
  for (const { table, statement } of members.flatMap(({ changes }) => changes)) {
    void transaction.change(table, statement)
  }
  for (const puts of byText(members.flatMap(({ puts }) => [...puts.values()])))
    sendTogether(transaction, puts)
}

function byText(puts: readonly SharedPut[]): Iterable<readonly SharedPut[]> {
  const found = new Map<string, SharedPut[]>()
  for (const put of puts) {
    const others = found.get(put.text) ?? []
    found.set(put.text, others)
    others.push(put)
  }
  return found.values()
}

function sendTogether(transaction: Transaction, puts: readonly SharedPut[]): void {
  const [first] = puts
  if (!first) return
  const { table, text } = first
  const names = puts.flatMap(({ numberedUnder }) => numberedUnder ?? [])
  const records = JSON.stringify(puts.map(({ record }) => record()))
  const values = names.length > 0 ? [records, textArray([...new Set(names)].sort())] : [records]
  // All of them travel as one statement.
  void transaction.change(table, { text, values, row: text })
}
