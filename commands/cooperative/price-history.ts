import { required } from '../../src/cli/arguments.ts'
import { listFlags } from '../../src/cli/list-output.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class CooperativePriceHistory extends operationCommand('cooperative.price_history') {
  static override description =
    'The service keeps the latest 1,000 changes of each cooperative, whether a command, a file or the console made them. Changes from before the service began to record them are missing.'
  static override examples = ['<%= config.bin %> <%= command.id %> solar-allgaeu']
  static override args = { cooperative: required('Cooperative id or key.') }
  static override flags = listFlags

  async run() {
    const { args, flags } = await this.parse(CooperativePriceHistory)
    const { cooperative } = args
    await this.showList(flags, {
      read: () => this.call(flags, { cooperative }),
      empty: 'No prices yet. Set one: `coopshare cooperative set-price KEY AMOUNT`.',
      columns: {
        TIME: 'at',
        OLD: ({ old_price: old, currency }) => (old === null ? null : `${old} ${currency}`),
        NEW: ({ new_price: price, currency }) => `${price} ${currency}`,
      },
    })
  }
}
