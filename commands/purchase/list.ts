import { Flags } from '@oclif/core'
import { organizationFlag } from '../../src/cli/arguments.ts'
import { listFlags } from '../../src/cli/list-output.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'
import { ageOf } from '../../src/cli/table.ts'
import { sharePurchaseStatuses } from '../../src/domain/share-purchases/share-purchase.ts'

export default class PurchaseList extends ServiceCommand {
  static override summary = 'List share purchases, oldest first.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --status submitted',
    '<%= config.bin %> <%= command.id %> --organization "Demo Bank" --json',
  ]
  static override flags = {
    status: Flags.option({ options: sharePurchaseStatuses, description: 'Filter by status.' })(),
    organization: organizationFlag(),
    ...listFlags,
  }

  async run() {
    const { flags } = await this.parse(PurchaseList)
    const { status, organization } = flags
    await this.showList(flags, {
      read: async (asked) => {
        const service = await this.connect(flags)
        return service.list('purchase.list', { status, organization, ...asked })
      },
      columns: {
        ID: 'share_purchase_id',
        STATUS: 'status',
        SHARES: 'share_count',
        TOTAL: ({ total, total_currency }) => `${total} ${total_currency}`,
        AGE: ({ created_at }) => ageOf(created_at),
        ORGANIZATION: 'organization_id',
      },
      wide: { PLACED: 'created_at' },
    })
  }
}
