import { Flags } from '@oclif/core'
import { limitFlag, organizationFlag } from '../../src/cli/arguments.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'
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
    limit: limitFlag(),
  }

  async run() {
    const { flags } = await this.parse(PurchaseList)
    const { status, organization, limit } = flags
    const service = await this.connect(flags)
    await this.showList(service.list('purchase.list', { status, organization, limit }), {
      ID: (purchase) => purchase.share_purchase_id,
      STATUS: (purchase) => purchase.status,
      SHARES: (purchase) => purchase.share_count,
      TOTAL: (purchase) => `${purchase.total} ${purchase.total_currency}`,
      PLACED: (purchase) => purchase.created_at,
      ORGANIZATION: (purchase) => purchase.organization_id,
    })
  }
}
