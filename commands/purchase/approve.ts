import {
  allSubmitted,
  decisionFlags,
  PurchaseCommand,
  purchaseIds,
} from '../../src/cli/purchase-command.ts'

export default class PurchaseApprove extends PurchaseCommand {
  static override summary = 'Approve submitted share purchases.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 7c9e6679-7425-40de-944b-e07fc1f90ae7',
    '<%= config.bin %> <%= command.id %> --all-submitted',
  ]
  static override args = purchaseIds
  static override flags = { 'all-submitted': allSubmitted, ...decisionFlags }

  async run() {
    const { args, flags } = await this.parse(PurchaseApprove)
    return this.decide('approve', { args, flags })
  }
}
