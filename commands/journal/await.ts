import { Flags } from '@oclif/core'
import { required } from '../../src/cli/arguments.ts'
import { exchangeColumns } from '../../src/cli/journal.ts'
import { BenchCommand } from '../../src/cli/service-command.ts'
import { renderTable } from '../../src/cli/table.ts'
import type { ExchangeRow } from '../../src/wire/bench.ts'
import { many } from '../../src/wire/view.ts'

export default class JournalAwait extends BenchCommand<readonly ExchangeRow[]> {
  static override summary = 'Wait for partner requests or deliveries (staging only).'
  static override examples = [
    '<%= config.bin %> <%= command.id %> placeSharePurchase --count 2 --timeout 10s',
  ]
  static override args = { operation: required('Operation id of the contract, or `delivery`.') }
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

  override async output() {
    const { exchange } = await import('../../src/wire/bench.ts')
    return many(exchange)
  }

  async run() {
    const { args, flags } = await this.parse(JournalAwait)
    const { count, timeout } = flags
    const body = { operation: args.operation, count, timeout }
    const exchanges = await this.ask(flags, 'POST', 'journal/await', body)
    this.show(renderTable(exchanges, exchangeColumns))
    return exchanges
  }
}
