import { exchangeColumns, exchangeFlags } from '../../src/cli/journal.ts'
import { listFlags } from '../../src/cli/list-output.ts'
import { benchCommand } from '../../src/cli/service-command.ts'

export default class JournalList extends benchCommand('bench.list_exchanges') {
  static override summary = 'List the latest partner requests and deliveries (staging only).'
  static override description =
    'The service keeps the latest 1,000 requests and deliveries, and the list shows the oldest first. With --json you also see headers and bodies, without secrets and IBANs.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --operation placeSharePurchase --json',
  ]
  static override flags = { ...exchangeFlags, ...listFlags }

  async run() {
    const { flags } = await this.parse(JournalList)
    const { operation, client, direction, limit } = flags
    // The service keeps only the latest exchanges.
    const all = { ...flags, limit: flags.limit ?? 1000 }
    await this.showList(all, {
      read: () => this.call(flags, { operation, client, direction, limit }),
      empty:
        'No requests or deliveries yet. The journal records each one as it happens: send a request, or follow them with `coopshare tail`.',
      columns: exchangeColumns,
    })
  }
}
