import { listFlags } from '../../src/cli/list-output.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class StatementList extends operationCommand('statement.list') {
  static override examples = ['<%= config.bin %> <%= command.id %>']
  static override flags = listFlags

  async run() {
    const { flags } = await this.parse(StatementList)
    await this.showList(flags, {
      read: async ({ limit }) => {
        const service = await this.connect(flags)
        return service.list('statement.list', { limit })
      },
      empty: 'No statements yet. `coopshare statement import FILE` imports what a bank has sent.',
      columns: {
        ID: 'statement_id',
        FILE: 'file',
        FROM: 'from',
        TO: 'to',
        ENTRIES: 'entries',
        BOOKED: 'booked',
        RETURNED: 'returned',
        REPEATED: 'repeated',
        UNMATCHED: 'unmatched',
        IMPORTED: 'imported_at',
      },
      wide: { FORMAT: 'format', ACCOUNT: 'account_iban', IGNORED: 'ignored', BY: 'imported_by' },
      sorts: [],
    })
  }
}
