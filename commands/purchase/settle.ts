import { Flags } from '@oclif/core'
import {
  allApproved,
  decisionFlags,
  PurchaseCommand,
  purchaseIds,
} from '../../src/cli/purchase-command.ts'

export default class PurchaseSettle extends PurchaseCommand {
  static override summary = 'Settle approved share purchases: their shares become holdings.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 7c9e6679-7425-40de-944b-e07fc1f90ae7',
    '<%= config.bin %> <%= command.id %> --all-approved --cooperative solar-allgaeu --dry-run',
    '<%= config.bin %> purchase list --status approved -o csv | <%= config.bin %> <%= command.id %> -',
  ]
  static override args = purchaseIds
  static override flags = {
    'all-approved': allApproved,
    'all-paid': Flags.boolean({
      description: 'Select all approved share purchases whose payment has come.',
    }),
    unpaid: Flags.boolean({
      description: 'Settle even if the payment has not come; the payment stays due.',
    }),
    ...decisionFlags,
  }

  async run() {
    const { args, flags } = await this.parse(PurchaseSettle)
    return this.decide('settle', { args, flags })
  }
}
