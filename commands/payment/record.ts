import { Flags } from '@oclif/core'
import { required } from '../../src/cli/arguments.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class PaymentRecord extends operationCommand('payment.record') {
  static override description =
    'For a payment that is due, or that came back. To settle the share purchase, run `purchase settle` afterwards.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 7c9e6679-7425-40de-944b-e07fc1f90ae7 --paid-on 2026-12-01',
  ]
  static override args = { purchase: required('Id of the share purchase.') }
  static override flags = {
    'paid-on': Flags.string({
      required: true,
      helpValue: 'DATE',
      description: 'The day on which the money came, for example 2026-12-01.',
    }),
    reference: Flags.string({ helpValue: 'TEXT', description: 'Reference of the transfer.' }),
  }

  async run() {
    const { args, flags } = await this.parse(PaymentRecord)
    const payment = await this.call(flags, {
      share_purchase_id: args.purchase,
      paid_on: flags['paid-on'],
      reference: flags.reference,
    })
    this.log(
      `Recorded that ${payment.share_purchase_id} was paid on ${payment.paid_at}: ${payment.amount} ${payment.amount_currency}.`,
    )
    return payment
  }
}
