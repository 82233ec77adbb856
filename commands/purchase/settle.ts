import {
  allApproved,
  PurchaseCommand,
  purchaseIds,
  selectionOf,
} from '../../src/cli/purchase-command.ts'

export default class PurchaseSettle extends PurchaseCommand {
  static override summary = 'Settle approved share purchases: their shares become holdings.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 7c9e6679-7425-40de-944b-e07fc1f90ae7',
    '<%= config.bin %> <%= command.id %> --all-approved',
  ]
  static override args = purchaseIds
  static override flags = { 'all-approved': allApproved }

  async run() {
    const { args, flags } = await this.parse(PurchaseSettle)
    const selection = selectionOf(args, flags)
    const service = await this.connect(flags)
    return this.moveAll(service, selection, {
      done: 'Settled',
      first: 'carrier',
      act: (share_purchase_id) => service.call('purchase.settle', { share_purchase_id }),
    })
  }
}
