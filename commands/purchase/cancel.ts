import {
  allSubmitted,
  decisionFlags,
  PurchaseCommand,
  purchaseIds,
} from '../../src/cli/purchase-command.ts'

export default class PurchaseCancel extends PurchaseCommand {
  static override summary = 'Cancel share purchases that are not approved yet.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 7c9e6679-7425-40de-944b-e07fc1f90ae7',
    '<%= config.bin %> <%= command.id %> --all-submitted',
  ]
  static override args = purchaseIds
  static override flags = { 'all-submitted': allSubmitted, ...decisionFlags }

  async run() {
    const { args, flags } = await this.parse(PurchaseCancel)
    return this.decide('cancel', { args, flags })
  }
}
