import {
  allProposed,
  decisionFlags,
  PurchaseCommand,
  purchaseIds,
} from '../../src/cli/purchase-command.ts'

export default class PurchaseConfirm extends PurchaseCommand {
  static override summary = 'Confirm decisions that another operator has proposed.'
  static override description =
    'With `serve --four-eyes`, `purchase settle`, `purchase reject` or both only propose a decision. The command refuses a proposal that was replaced after you looked at it, and the proposal of an operator who was disabled since.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 7c9e6679-7425-40de-944b-e07fc1f90ae7',
    '<%= config.bin %> <%= command.id %> --all-proposed --cooperative solar-allgaeu --dry-run',
  ]
  static override args = purchaseIds
  static override flags = { 'all-proposed': allProposed, ...decisionFlags }

  async run() {
    const { args, flags } = await this.parse(PurchaseConfirm)
    return this.decide('confirm', { args, flags })
  }
}
