import type { CursorPage } from '../../domain/page.ts'
import type { Statement, StatementEntry } from '../../domain/payments/statement.ts'
import { Problem } from '../../domain/problem.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import { readInBatches } from '../read-in-batches.ts'
import type { Service } from '../service.ts'
import { findNamedOrder } from './match-entry.ts'

/** Newest first. */
export function listStatements(
  { store }: Service,
  { after, limit }: CursorPage,
): AsyncGenerator<readonly Statement[]> {
  return readInBatches(store, {
    list: ({ statements }: ReadableRecords, page: CursorPage) => statements.list(page),
    idOf: ({ statementId }: Statement) => statementId,
    after,
    limit,
  })
}

/** An entry with what the bank says about it in words. */
export interface ShownEntry {
  readonly entry: StatementEntry
  readonly counterparty: string | null
  readonly purpose: string | null
  /** The order that an entry names that waits for a person. */
  readonly namedOrder: string | null
}

export interface ShownStatement {
  readonly statement: Statement
  readonly entries: readonly ShownEntry[]
}

export async function readStatement(
  service: Service,
  statementId: string,
): Promise<ShownStatement> {
  const { store } = service
  const statement = await store.read(({ statements }) => statements.get(statementId.toLowerCase()))
  if (!statement) throw noStatement(statementId)
  const entries: ShownEntry[] = []
  for await (const found of readEntries(service, statement.statementId))
    entries.push(...(await store.read((records) => showEntries(records, service, found))))
  return { statement, entries }
}

/** A statement can have 50,000 entries, so a page shows only a part of them. */
export async function readStatementPart(
  service: Service,
  statementId: string,
  page: CursorPage,
): Promise<ShownStatement> {
  return service.store.read(async (records) => {
    const { statements, statementEntries } = records
    const statement = await statements.get(statementId.toLowerCase())
    if (!statement) throw noStatement(statementId)
    const entries = await statementEntries.listByStatement({
      statementId: statement.statementId,
      ...page,
    })
    return { statement, entries: await showEntries(records, service, entries) }
  })
}

function noStatement(statementId: string): Problem {
  return new Problem(
    'STATEMENT_NOT_FOUND',
    `No statement has the id ${statementId}. \`coopshare statement list\` lists all statements.`,
  )
}

export function readEntries({ store }: Pick<Service, 'store'>, statementId: string) {
  return readInBatches(store, {
    list: ({ statementEntries }: ReadableRecords, page: CursorPage) =>
      statementEntries.listByStatement({ statementId, ...page }),
    idOf: ({ entryId }: StatementEntry) => entryId,
  })
}

function showEntries(
  records: ReadableRecords,
  service: Pick<Service, 'vault'>,
  entries: readonly StatementEntry[],
): Promise<readonly ShownEntry[]> {
  return Promise.all(entries.map((entry) => showEntry(records, service, entry)))
}

export async function showEntry(
  records: ReadableRecords,
  { vault }: Pick<Service, 'vault'>,
  entry: StatementEntry,
): Promise<ShownEntry> {
  const { encryptedText, outcome } = entry
  const { counterparty, purpose } =
    encryptedText === null
      ? { counterparty: null, purpose: null }
      : JSON.parse(vault.decrypt(encryptedText))
  const named =
    outcome === 'unmatched' ? await findNamedOrder(records, { vault }, entry) : undefined
  return { entry, counterparty, purpose, namedOrder: named ?? null }
}

/** The entries that wait for a person, oldest first. */
export async function listUnmatched(
  service: Service,
  limit: number,
): Promise<readonly ShownEntry[]> {
  return service.store.read(async (records) =>
    showEntries(records, service, await records.statementEntries.listUnmatched({ limit })),
  )
}
