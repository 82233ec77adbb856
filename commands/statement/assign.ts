import { required } from '../../src/cli/arguments.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class StatementAssign extends operationCommand('statement.assign') {
  static override description =
    'Money that came pays the share purchase; a return makes its payment come back. The amounts must be the same.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 0198c0de-0000-7000-8000-0000000000e1 7c9e6679-7425-40de-944b-e07fc1f90ae7',
  ]
  static override args = {
    entry: required('Id of the entry, from `statement show`.'),
    purchase: required('Id of the share purchase.'),
  }

  async run() {
    const { args, flags } = await this.parse(StatementAssign)
    const entry = await this.call(flags, {
      entry_id: args.entry,
      share_purchase_id: args.purchase,
    })
    this.log(
      `Assigned ${entry.amount} ${entry.amount_currency} to ${entry.share_purchase_id}: it is ${entry.outcome}.`,
    )
    return entry
  }
}
