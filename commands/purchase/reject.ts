import { Flags } from '@oclif/core'
import {
  allApproved,
  allSubmitted,
  PurchaseCommand,
  purchaseIds,
  selectionOf,
} from '../../src/cli/purchase-command.ts'

export default class PurchaseReject extends PurchaseCommand {
  static override summary = 'Reject share purchases that are submitted or approved.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 7c9e6679-7425-40de-944b-e07fc1f90ae7 --reason "The mandate was returned."',
    '<%= config.bin %> <%= command.id %> --all-submitted --all-approved',
  ]
  static override args = purchaseIds
  static override flags = {
    'all-submitted': allSubmitted,
    'all-approved': allApproved,
    reason: Flags.string({ description: 'Reason, shown to the partner and the investor.' }),
  }

  async run() {
    const { args, flags } = await this.parse(PurchaseReject)
    const selection = selectionOf(args, flags)
    const service = await this.connect(flags)
    return this.moveAll(service, selection, {
      done: 'Rejected',
      first: 'dependent',
      act: (share_purchase_id) =>
        service.call('purchase.reject', { share_purchase_id, reason: flags.reason }),
    })
  }
}
