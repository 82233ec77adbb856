import { boolean, object, optional } from 'superstruct'
import { zeroMoney } from '../domain/money.ts'
import {
  entryKinds,
  entryOutcomes,
  matchingWays,
  type Statement,
} from '../domain/payments/statement.ts'
import { assignEntry } from '../usecases/payments/assign-entry.ts'
import { importStatements } from '../usecases/payments/import-statements.ts'
import { type CreditorReport, reportPayments } from '../usecases/payments/report.ts'
import { simulateBank } from '../usecases/payments/simulate-statement.ts'
import {
  listStatements,
  readStatement,
  type ShownEntry,
  type ShownStatement,
} from '../usecases/payments/statements.ts'
import { listWithin } from '../wire/bounds.ts'
import * as given from '../wire/fields.ts'
import {
  amount,
  bool,
  count,
  dateOrNull,
  fieldsOf,
  id,
  idOrNull,
  ids,
  instant,
  listOf,
  many,
  oneOf,
  oneOfOrNull,
  text,
  textOrNull,
  view,
} from '../wire/view.ts'
import { listOperation, operation } from './operation.ts'

/** The counts are zero until all entries have been applied. */
const statement = view<Statement>()('Statement', {
  statement_id: id('Id of the statement.', (it) => it.statementId),
  file: text('Name of the file.', (it) => it.file),
  format: text('Format of the file, such as `camt.053.001.08`.', (it) => it.format),
  account_iban: textOrNull('Account; null in a pain.002.', (it) => it.accountIban),
  from: dateOrNull('First day.', (it: Statement) => it.from),
  to: dateOrNull('Last day.', (it: Statement) => it.to),
  entries: count('Number of entries.', (it) => it.entryCount),
  booked: count('Entries that paid.', (it) => it.counts.booked),
  returned: count('Entries by which payments came back.', (it) => it.counts.returned),
  repeated: count('Entries that came before.', (it) => it.counts.repeated),
  unmatched: count('Entries that wait for a person.', (it) => it.counts.unmatched),
  ignored: count('Entries about something else, or charges.', (it) => it.counts.ignored),
})

export const listedStatement = view<Statement>()('Listed statement', {
  ...statement.fields,
  is_complete: bool('Whether all entries have been applied to payments.', (it) => it.isComplete),
  imported_at: instant('Time of the import.', (it) => it.createdAt),
  imported_by: text('Operator who imported it.', (it) => it.importedBy),
})

export const statementEntry = view<ShownEntry>()('Statement entry', {
  entry_id: id('Id of the entry.', (it) => it.entry.entryId),
  amount: amount('Amount without charges.', (it) => it.entry.amount),
  amount_currency: text('Currency, ISO 4217.', (it) => it.entry.currency),
  is_credit: bool('Whether money came.', (it) => it.entry.isCredit),
  charges: amount('Charges of the bank.', (it) => it.entry.charges),
  kind: oneOf(entryKinds, 'What the entry says.', (it) => it.entry.kind),
  outcome: oneOfOrNull(
    entryOutcomes,
    'What became of it; null until it is applied.',
    (it) => it.entry.outcome,
  ),
  booked_on: dateOrNull('Day of the booking.', (it: ShownEntry) => it.entry.bookedOn),
  return_code: textOrNull('Code of the bank for a return.', (it) => it.entry.returnCode),
  end_to_end_id: textOrNull('End-to-end reference.', (it) => it.entry.endToEndId),
  mandate_reference: textOrNull('Reference of the mandate.', (it) => it.entry.mandateReference),
  counterparty: textOrNull('Name of the other party.', (it) => it.counterparty),
  purpose: textOrNull('Purpose.', (it) => it.purpose),
  share_purchase_id: idOrNull('Share purchase that it is about.', (it) => it.entry.sharePurchaseId),
  named_share_purchase_id: idOrNull(
    'Share purchase that an entry names that waits for a person.',
    (it) => it.namedOrder,
  ),
  collection_id: idOrNull('Collection that it is about.', (it) => it.entry.collectionId),
  matched_by: oneOfOrNull(
    matchingWays,
    'How it was matched; null if it was not.',
    (it) => it.entry.matchedBy,
  ),
})

const shown = view<ShownStatement>()('Shown statement', {
  ...fieldsOf(listedStatement, (it: ShownStatement) => it.statement),
  entries: listOf(statementEntry, 'Entries, in their order.', (it) => it.entries),
})

const creditor = view<CreditorReport>()('Creditor report', {
  cooperative_key: text('Key of the cooperative.', (it) => it.cooperativeKey),
  due: amount('Payments that are due now.', (it) => it.due),
  collecting: amount('Payments that are being collected now.', (it) => it.collecting),
  paid: amount('Every booking, whatever came back later.', (it) => it.paid),
  returned: amount('Every return of booked money.', (it) => it.returned),
  charges: amount('Charges of the bank.', (it) => it.charges),
  recorded: amount('Transfers that no entry of a statement explains.', (it) => it.recorded),
  unexplained: ids('Entries that wait for a person.', (it) => it.unexplained),
})

const report = view<readonly CreditorReport[]>()('Payment report', {
  creditors: listOf(creditor, 'One for each creditor.', (it) => it),
})

const file = view<{ readonly file: string }>()('Simulated statement', {
  file: text('The file, as text.', (it) => it.file),
})

export const statementOperations = {
  'statement.import': operation({
    role: 'operator',
    summary: 'Import what a bank has sent: camt.052, camt.053, camt.054 or pain.002.',
    note: 'A file is imported whole or refused. Entries that came before are not counted again. With `dry_run`, nothing is stored.',
    problems: ['STATEMENT_REFUSED'],
    input: object({ name: given.text(), text: given.textInParts(), dry_run: optional(boolean()) }),
    answer: many(statement),
    run: (service, { dry_run: dryRun, ...input }) => importStatements(service, input, { dryRun }),
  }),
  'statement.list': listOperation({
    role: 'viewer',
    summary: 'List statements, the latest import first.',
    input: object({ after: optional(given.text()), limit: optional(given.limit()) }),
    row: listedStatement,
    batches: listStatements,
  }),
  'statement.show': operation({
    role: 'operator',
    summary: 'Show a statement with its entries.',
    note: 'The answer contains names of investors.',
    problems: ['STATEMENT_NOT_FOUND'],
    input: object({ statement_id: given.text() }),
    answer: shown,
    run: (service, { statement_id }) => readStatement(service, statement_id),
  }),
  'statement.assign': operation({
    role: 'operator',
    summary: 'Assign an entry that matched nothing to a share purchase.',
    problems: [
      'STATEMENT_NOT_FOUND',
      'SHARE_PURCHASE_NOT_FOUND',
      'PAYMENT_NOT_FOUND',
      'PAYMENT_ILLEGAL_STATE',
    ],
    input: object({ entry_id: given.text(), share_purchase_id: given.text() }),
    answer: statementEntry,
    run: (service, { entry_id, share_purchase_id }) =>
      assignEntry(service, entry_id, share_purchase_id),
  }),
  'statement.simulate': operation({
    role: 'operator',
    summary: 'Make the statement that a bank would send for a collection. Only in staging.',
    note: 'Nothing is stored. Import the file with `statement.import`.',
    problems: ['COLLECTION_NOT_FOUND', 'COLLECTION_ILLEGAL_STATE', 'TESTING_AID_IN_PRODUCTION'],
    input: object({
      collection_id: given.text(),
      returns: optional(
        listWithin(object({ share_purchase_id: given.text(), code: given.text(4) }), { min: 0 }),
      ),
      charges: optional(given.amount()),
    }),
    answer: file,
    run: async (service, { collection_id: collectionId, returns = [], charges }) => ({
      file: await simulateBank(service, {
        collectionId,
        returns: returns.map(({ share_purchase_id, code }) => ({
          sharePurchaseId: share_purchase_id,
          returnCode: code,
        })),
        charges: charges === undefined ? zeroMoney : given.readAmount(charges),
      }),
    }),
  }),
  'payment.report': operation({
    role: 'viewer',
    summary: 'Sum what was collected, came back and is outstanding, for each creditor.',
    note: 'The cost is proportional to the number of entries of all statements.',
    problems: ['COOPERATIVE_NOT_FOUND'],
    input: object({
      cooperative: optional(given.text()),
      since: optional(given.date()),
      until: optional(given.date()),
    }),
    answer: report,
    run: reportPayments,
  }),
}
