import { Flags } from '@oclif/core'
import { cooperativeFlag } from '../../src/cli/arguments.ts'
import { listFlags } from '../../src/cli/list-output.ts'
import { operationCommand } from '../../src/cli/service-command.ts'
import { paymentStates } from '../../src/domain/payments/payment.ts'

export default class PaymentList extends operationCommand('payment.list') {
  static override examples = [
    '<%= config.bin %> <%= command.id %> --state returned',
    '<%= config.bin %> <%= command.id %> --cooperative solar-allgaeu -o csv',
  ]
  static override flags = {
    state: Flags.option({ options: paymentStates, description: 'Only payments in this state.' })(),
    cooperative: cooperativeFlag('Only payments for this cooperative, by id or key.'),
    ...listFlags,
  }

  async run() {
    const { flags } = await this.parse(PaymentList)
    const { state, cooperative } = flags
    await this.showList(flags, {
      read: async ({ limit }) => {
        const service = await this.connect(flags)
        return service.list('payment.list', { state, cooperative, limit })
      },
      empty:
        'No payments yet. A payment begins when a share purchase is approved whose cooperative has a creditor: see `coopshare cooperative set-creditor`.',
      columns: {
        ID: 'share_purchase_id',
        STATE: 'state',
        AMOUNT: ({ amount, amount_currency }) => `${amount} ${amount_currency}`,
        COOPERATIVE: 'cooperative_key',
        DUE: 'due_date',
        PAID: 'paid_at',
        RETURNED: 'returned_at',
        CODE: 'return_code',
      },
      wide: { BY: 'paid_by', CHARGES: 'charges', COLLECTION: 'collection_id' },
      sorts: [],
    })
  }
}
