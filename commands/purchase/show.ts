import { required } from '../../src/cli/arguments.ts'
import { attemptColumns } from '../../src/cli/payment-columns.ts'
import { operationCommand } from '../../src/cli/service-command.ts'
import { renderFields, renderTable } from '../../src/cli/table.ts'

export default class PurchaseShow extends operationCommand('purchase.show') {
  static override examples = [
    '<%= config.bin %> <%= command.id %> 7c9e6679-7425-40de-944b-e07fc1f90ae7',
  ]
  static override args = { purchase: required('Share purchase id.') }

  async run() {
    const { args, flags } = await this.parse(PurchaseShow)
    const purchase = await this.call(flags, { share_purchase_id: args.purchase })
    const { history, rests_on, fate, proposal, payment, payment_state, ...fields } = purchase
    const because = proposal?.reason ? `: ${proposal.reason}` : ''
    const proposed =
      proposal && `${proposal.decision} by ${proposal.operator} at ${proposal.at}${because}`
    const more = {
      ...(payment_state !== null && { payment_state }),
      ...(fate !== null && { fate }),
      ...(proposed !== null && { proposed }),
    }
    this.show(renderFields({ ...fields, ...more, rests_on: rests_on?.join(' ') || null }))
    this.show()
    this.show(renderTable(history, { STATUS: 'status', SINCE: 'at' }))
    if (payment && payment.attempts.length > 0) {
      this.show()
      this.show(renderTable(payment.attempts, attemptColumns))
    }
    return purchase
  }
}
