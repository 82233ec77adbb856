import { exchangeColumns, exchangeFlags, queryOf } from '../../src/cli/journal.ts'
import { listFlags } from '../../src/cli/list-output.ts'
import { BenchCommand } from '../../src/cli/service-command.ts'
import type { ExchangeRow } from '../../src/wire/bench.ts'
import { many } from '../../src/wire/view.ts'

export default class JournalList extends BenchCommand<readonly ExchangeRow[]> {
  static override summary = 'List the latest partner requests and deliveries (staging only).'
  static override description =
    'The service keeps the latest 1,000 requests and deliveries, and the list shows the oldest first. With --json you also see headers and bodies, without secrets and IBANs.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --operation placeSharePurchase --json',
  ]
  static override flags = { ...exchangeFlags, ...listFlags }

  override async output() {
    const { exchange } = await import('../../src/wire/bench.ts')
    return many(exchange)
  }

  async run() {
    const { flags } = await this.parse(JournalList)
    const { operation, client, direction, limit } = flags
    const path = `journal${queryOf({ operation, client, direction, limit })}`
    // The service keeps only the latest exchanges.
    const all = { ...flags, limit: flags.limit ?? 1000 }
    await this.showList(all, {
      read: () => this.ask(flags, 'GET', path),
      columns: exchangeColumns,
    })
  }
}
