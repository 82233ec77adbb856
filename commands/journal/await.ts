import { Flags } from '@oclif/core'
import { required } from '../../src/cli/arguments.ts'
import { exchangeColumns } from '../../src/cli/journal.ts'
import { benchCommand } from '../../src/cli/service-command.ts'
import { renderTable } from '../../src/cli/table.ts'

export default class JournalAwait extends benchCommand('bench.await_exchanges') {
  static override summary = 'Wait for partner requests or deliveries (staging only).'
  static override examples = [
    '<%= config.bin %> <%= command.id %> placeSharePurchase --count 2 --timeout 10s',
  ]
  static override args = { operation: required('Operation id from the contract, or `delivery`.') }
  static override flags = {
    count: Flags.integer({
      min: 1,
      default: 1,
      helpValue: 'N',
      description: 'Number of requests or deliveries to wait for.',
    }),
    timeout: Flags.string({
      default: '5s',
      helpValue: 'TIME',
      description: 'How long to wait.',
    }),
  }

  async run() {
    const { args, flags } = await this.parse(JournalAwait)
    const { count, timeout } = flags
    const exchanges = await this.call(flags, { operation: args.operation, count, timeout })
    this.show(renderTable(exchanges, exchangeColumns))
    return exchanges
  }
}
