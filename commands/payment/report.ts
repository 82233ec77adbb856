import { Flags } from '@oclif/core'
import { cooperativeFlag } from '../../src/cli/arguments.ts'
import { operationCommand } from '../../src/cli/service-command.ts'
import { renderTable } from '../../src/cli/table.ts'

export default class PaymentReport extends operationCommand('payment.report') {
  static override description =
    'Due and collecting are the payments of now. Paid, returned and charges are the entries of statements in the period.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --since 2026-12-01 --until 2026-12-31',
  ]
  static override flags = {
    cooperative: cooperativeFlag('Only this cooperative, by id or key.'),
    since: Flags.string({ helpValue: 'DATE', description: 'First day of bookings.' }),
    until: Flags.string({ helpValue: 'DATE', description: 'Last day of bookings.' }),
  }

  async run() {
    const { flags } = await this.parse(PaymentReport)
    const { cooperative, since, until } = flags
    const report = await this.call(flags, { cooperative, since, until })
    this.show(
      renderTable(report.creditors, {
        COOPERATIVE: 'cooperative_key',
        DUE: 'due',
        COLLECTING: 'collecting',
        PAID: 'paid',
        RETURNED: 'returned',
        CHARGES: 'charges',
        RECORDED: 'recorded',
        UNEXPLAINED: ({ unexplained }) => unexplained.length,
      }),
    )
    for (const { cooperative_key, unexplained } of report.creditors)
      for (const id of unexplained)
        this.tell(
          `${cooperative_key}: entry ${id} is not explained. Assign it with \`coopshare statement assign\`.`,
        )
    return report
  }
}
