import type { Put } from '../session.ts'
import { textArray } from '../statements.ts'
import type { Transaction } from '../transaction.ts'
import type { Member } from './member.ts'

/** What all have put, a statement for each way to put into a table. */
export function sendChanges(transaction: Transaction, members: readonly Member[]): void {
  for (const { table, statement } of members.flatMap(({ changes }) => changes)) {
    void transaction.change(table, statement)
  }
  for (const puts of byText(members.flatMap(lastPuts))) sendTogether(transaction, puts)
}

/** One statement changes a row once. */
function lastPuts({ puts }: Member): Put[] {
  return [...new Map(puts.map((put) => [`${put.table} ${put.row}`, put])).values()]
}

function byText(puts: readonly Put[]): Iterable<readonly Put[]> {
  const found = new Map<string | undefined, Put[]>()
  for (const put of puts) {
    const others = found.get(put.together) ?? []
    found.set(put.together, others)
    others.push(put)
  }
  return found.values()
}

function sendTogether(transaction: Transaction, puts: readonly Put[]): void {
  const [first] = puts
  if (first?.together === undefined) return
  const names = puts.flatMap(({ numberedUnder }) => numberedUnder ?? [])
  const records = JSON.stringify(puts.map(({ record }) => record()))
  const values = names.length > 0 ? [records, textArray([...new Set(names)].sort())] : [records]
  // All of them travel as one statement.
  const row = first.together
  void transaction.change(first.table, { text: first.together, values, row })
}
