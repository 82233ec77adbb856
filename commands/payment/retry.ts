import { required } from '../../src/cli/arguments.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class PaymentRetry extends operationCommand('payment.retry') {
  static override description =
    'The next collection then takes it, with a new announcement. After some codes of banks this is forbidden; the message says what to do instead.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 7c9e6679-7425-40de-944b-e07fc1f90ae7',
  ]
  static override args = { purchase: required('Id of the share purchase.') }

  async run() {
    const { args, flags } = await this.parse(PaymentRetry)
    const payment = await this.call(flags, { share_purchase_id: args.purchase })
    this.log(
      `The payment of ${payment.share_purchase_id} is due again: ${payment.amount} ${payment.amount_currency}.`,
    )
    return payment
  }
}
