import {
  allSubmitted,
  PurchaseCommand,
  purchaseIds,
  selectionOf,
} from '../../src/cli/purchase-command.ts'

export default class PurchaseCancel extends PurchaseCommand {
  static override summary = 'Cancel share purchases that are not approved yet.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 7c9e6679-7425-40de-944b-e07fc1f90ae7',
    '<%= config.bin %> <%= command.id %> --all-submitted',
  ]
  static override args = purchaseIds
  static override flags = { 'all-submitted': allSubmitted }

  async run() {
    const { args, flags } = await this.parse(PurchaseCancel)
    const selection = selectionOf(args, flags)
    const service = await this.connect(flags)
    return this.moveAll(service, selection, {
      done: 'Cancelled',
      first: 'dependent',
      act: (share_purchase_id) => service.call('purchase.cancel', { share_purchase_id }),
    })
  }
}
