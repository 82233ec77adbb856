import { required } from '../../src/cli/arguments.ts'
import { operationCommand } from '../../src/cli/service-command.ts'
import { renderFields, renderTable } from '../../src/cli/table.ts'

export default class StatementShow extends operationCommand('statement.show') {
  static override description = 'The output contains names of investors.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 7c9e6679-7425-40de-944b-e07fc1f90ae7',
  ]
  static override args = { statement: required('Id of the statement.') }

  async run() {
    const { args, flags } = await this.parse(StatementShow)
    const statement = await this.call(flags, { statement_id: args.statement })
    const { entries, ...fields } = statement
    this.show(renderFields({ ...fields, entries: entries.length }))
    this.show()
    this.show(
      renderTable(entries, {
        ENTRY: 'entry_id',
        DAY: 'booked_on',
        KIND: 'kind',
        OUTCOME: 'outcome',
        AMOUNT: ({ amount, is_credit }) => `${is_credit ? '' : '-'}${amount}`,
        CHARGES: 'charges',
        CODE: 'return_code',
        'SHARE PURCHASE': ({ share_purchase_id: id, named_share_purchase_id: named }) =>
          id ?? (named && `${named}?`),
        NAME: 'counterparty',
        PURPOSE: 'purpose',
      }),
    )
    return statement
  }
}
