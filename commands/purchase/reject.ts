import { Flags } from '@oclif/core'
import {
  allApproved,
  allSubmitted,
  decisionFlags,
  PurchaseCommand,
  purchaseIds,
} from '../../src/cli/purchase-command.ts'
import { invalid } from '../../src/config/common-flags.ts'

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
    'all-returned': Flags.boolean({
      description: 'Select all approved share purchases whose payment came back.',
    }),
    refunded: Flags.boolean({
      description: 'Reject even if it is paid: you have paid the money back.',
    }),
    ...decisionFlags,
    reason: Flags.string({
      description: 'Reason, shown to the partner and the investor. Required in production.',
    }),
  }

  async run() {
    const { args, flags } = await this.parse(PurchaseReject)
    if (flags.environment === 'production' && flags.reason === undefined) {
      throw invalid('In production a rejection needs a reason: add --reason.')
    }
    return this.decide('reject', { args, flags })
  }
}
