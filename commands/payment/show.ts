import { required } from '../../src/cli/arguments.ts'
import { attemptColumns } from '../../src/cli/payment-columns.ts'
import { operationCommand } from '../../src/cli/service-command.ts'
import { renderFields, renderTable } from '../../src/cli/table.ts'

export default class PaymentShow extends operationCommand('payment.show') {
  static override examples = [
    '<%= config.bin %> <%= command.id %> 7c9e6679-7425-40de-944b-e07fc1f90ae7',
  ]
  static override args = { purchase: required('Id of the share purchase.') }

  async run() {
    const { args, flags } = await this.parse(PaymentShow)
    const payment = await this.call(flags, { share_purchase_id: args.purchase })
    const { attempts, ...fields } = payment
    this.show(renderFields(fields))
    if (attempts.length > 0) {
      this.show()
      this.show(renderTable(attempts, attemptColumns))
    }
    return payment
  }
}
