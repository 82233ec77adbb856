import { Flags } from '@oclif/core'
import { cooperativeFlag, organizationFlag } from '../../src/cli/arguments.ts'
import { timeFlag } from '../../src/cli/event-flags.ts'
import { listFlags, orderOf } from '../../src/cli/list-output.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'
import { ageOf } from '../../src/cli/table.ts'
import { sharePurchaseStatuses } from '../../src/domain/share-purchases/share-purchase.ts'

export default class PurchaseList extends ServiceCommand {
  static override summary = 'List share purchases, newest first.'
  static override description =
    '`--sort created_at` and `-created_at` use an index. For any other key, the command first reads all rows.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --status submitted',
    '<%= config.bin %> <%= command.id %> --cooperative solar-allgaeu --since 7d -o csv',
    '<%= config.bin %> <%= command.id %> --organization "Demo Bank" --json',
  ]
  static override flags = {
    status: Flags.option({ options: sharePurchaseStatuses, description: 'Filter by status.' })(),
    organization: organizationFlag(),
    cooperative: cooperativeFlag(),
    investor: Flags.string({
      helpValue: 'INVESTOR',
      description: 'Id of the investor, or the reference of the partner.',
    }),
    since: timeFlag('Only those placed at or after this time'),
    until: timeFlag('Only those placed before this time'),
    ...listFlags,
  }

  async run() {
    const { flags } = await this.parse(PurchaseList)
    const { status, organization, cooperative, investor, since, until } = flags
    await this.showList(flags, {
      read: async ({ sort = '-created_at', limit }) => {
        const service = await this.connect(flags)
        return service.list('purchase.list', {
          status,
          organization,
          cooperative,
          investor,
          since,
          until,
          limit,
          sort: orderOf(sort),
        })
      },
      sorts: ['created_at'],
      columns: {
        ID: 'share_purchase_id',
        STATUS: 'status',
        PARTNER: 'organization',
        CUSTOMER: 'partner_customer_ref',
        COOPERATIVE: 'cooperative',
        SHARES: 'share_count',
        TOTAL: ({ total, total_currency }) => `${total} ${total_currency}`,
        AGE: ({ created_at }) => ageOf(created_at),
      },
      wide: {
        PLACED: 'created_at',
        KEY: 'cooperative_key',
        INVESTOR: 'investor_id',
        ORGANIZATION: 'organization_id',
        REASON: 'reason',
      },
    })
  }
}
