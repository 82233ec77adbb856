import { createHash } from 'node:crypto'
import { toMinorUnits } from '../../domain/money.ts'
import type { ReadEntry, ReadStatement } from '../../domain/payments/read-statement.ts'
import { StatementReader } from '../../domain/payments/read-statement.ts'
import { noOutcomes, type Statement, type StatementEntry } from '../../domain/payments/statement.ts'
import { Problem } from '../../domain/problem.ts'
import { mapInTurns, nextTurn } from '../../machine/time.ts'
import { subjects } from '../../ports/subjects.ts'
import type { Service } from '../service.ts'
import { actingOperator } from './acting-operator.ts'
import { applyStatement, previewStatements, type StatementDraft } from './apply-statement.ts'

export interface StatementFile {
  readonly name: string
  /** All of it, or its parts as they arrive. */
  readonly text: string | AsyncIterable<string>
}

// Reading a piece of this length blocks the event loop for a few milliseconds.
const pieceLength = 32 * 1024

/**
 * Imports a file whole, or refuses it. First it is read to its end, then its entries are stored in one write, and at last
 * they are applied to payments, in parts. If the program ends meanwhile, the service applies the rest at its next start,
 * and so does the next import.
 */
export async function importStatements(
  service: Service,
  { name, text }: StatementFile,
  { dryRun = false }: { readonly dryRun?: boolean | undefined } = {},
): Promise<readonly Statement[]> {
  const { read, fileDigest } = await readStatements({ name, text })
  await finishStatements(service)
  const drafts = await Promise.all(
    read.map((statement) => draftStatement(service, statement, { name, fileDigest })),
  )
  if (dryRun) return previewStatements(service, drafts)
  await service.store.write(subjects.all('statements'), async (records) => {
    for (const { statement, entries } of drafts) {
      await records.statements.put(statement)
      for (const [index, entry] of entries.entries()) {
        if (index % entriesPerTurn === entriesPerTurn - 1) await nextTurn()
        await records.statementEntries.put(entry)
      }
    }
  })
  const applied: Statement[] = []
  for (const { statement } of drafts) applied.push(await applyStatement(service, statement))
  return applied
}

const entriesPerTurn = 200

async function readStatements({ name, text }: StatementFile) {
  const reader = new StatementReader()
  const hash = createHash('sha256')
  try {
    for await (const piece of piecesOf(text)) {
      hash.update(piece)
      reader.write(piece)
      await nextTurn()
    }
    return { read: reader.close(), fileDigest: hash.digest('hex') }
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'STATEMENT_REFUSED')) throw error
    throw new Problem(error.code, `${name}: ${error.message} Nothing in this file was imported.`)
  }
}

/** Neither a byte order mark nor what old systems add at the end is part of the document. */
function isOutside(character = 'x'): boolean {
  return /[\s\0]/.test(character) || character === '\u001a'
}

async function* piecesOf(text: StatementFile['text']): AsyncGenerator<string> {
  let isBegun = false
  /** What may be the end. */
  let held = ''
  for await (const part of typeof text === 'string' ? [text] : text) {
    for (let from = 0; from < part.length; from += pieceLength) {
      const piece = part.slice(from, from + pieceLength)
      let [begin, end] = [0, piece.length]
      while (!isBegun && isOutside(piece[begin])) begin += 1
      while (end > begin && isOutside(piece[end - 1])) end -= 1
      isBegun ||= end > begin
      if (end > begin) yield held + piece.slice(begin, end)
      held = (end > begin ? '' : held) + piece.slice(end)
    }
  }
}

/** Applies what an earlier run of the program has left. If it is aborted, the next run applies the rest. */
export async function finishStatements(service: Service, signal?: AbortSignal): Promise<void> {
  const unfinished = await service.store.read(({ statements }) => statements.listUnfinished(100))
  for (const statement of unfinished) await applyStatement(service, statement, signal)
}

async function draftStatement(
  service: Service,
  { format, accountIban, from, to, entries }: ReadStatement,
  { name: file, fileDigest }: { readonly name: string; readonly fileDigest: string },
): Promise<StatementDraft> {
  const now = service.clock.now()
  const statement: Statement = {
    statementId: service.random.id(),
    file,
    fileDigest,
    format,
    accountIban,
    from,
    to,
    entryCount: entries.length,
    isComplete: false,
    counts: noOutcomes,
    importedBy: actingOperator(service).name,
    createdAt: now,
    updatedAt: now,
  }
  const repeats = new Map<string, number>()
  const drafted = await mapInTurns(
    entries,
    (entry) => {
      const identity = identityOf(entry, accountIban)
      const number = (repeats.get(identity) ?? 0) + 1
      repeats.set(identity, number)
      return draftEntry(service, entry, statement, `${identity}#${number}`)
    },
    entriesPerTurn,
  )
  return { statement, entries: drafted }
}

function draftEntry(
  { random, vault }: Service,
  entry: ReadEntry,
  { statementId, createdAt }: Statement,
  identity: string,
): StatementEntry {
  const { counterparty, purpose, isCredit } = entry
  const hasText = counterparty !== null || purpose !== null
  const text = { counterparty, purpose, isCredit }
  // A spread would take several times as much memory.
  return {
    entryId: random.id(),
    statementId,
    identity,
    fact: null,
    kind: entry.kind,
    isCredit,
    outcome: null,
    amount: entry.amount,
    currency: entry.currency,
    charges: entry.charges,
    bookedOn: entry.bookedOn,
    messageId: entry.messageId,
    batchId: entry.batchId,
    endToEndId: entry.endToEndId,
    mandateReference: entry.mandateReference,
    returnCode: entry.returnCode,
    encryptedText: hasText ? vault.encrypt(JSON.stringify(text)) : null,
    sharePurchaseId: null,
    collectionId: null,
    matchedBy: null,
    createdAt,
  }
}

/**
 * The same for an entry that comes again in another file. What a direct debit or a collection is about is compared when it
 * is matched, too. Two entries that are alike in one statement are two.
 */
function identityOf(entry: ReadEntry, accountIban: string | null): string {
  const { bankReference, bookedOn, isCredit, kind, messageId, batchId } = entry
  const { endToEndId, mandateReference, returnCode, charges } = entry
  const amount = toMinorUnits(entry.amount) + toMinorUnits(charges)
  const parts = [accountIban, bankReference, bookedOn, isCredit, `${amount}`, kind === 'refusal']
  const own = [messageId, batchId, endToEndId, mandateReference, returnCode]
  return createHash('sha256')
    .update(JSON.stringify([...parts, ...own]))
    .digest('base64url')
}
