import { Flags } from '@oclif/core'
import { cooperativeFlag, organizationFlag } from '../../src/cli/arguments.ts'
import { timeFlag } from '../../src/cli/event-flags.ts'
import { listFlags, orderOf } from '../../src/cli/list-output.ts'
import { operationCommand } from '../../src/cli/service-command.ts'
import { ageOf, type Columns } from '../../src/cli/table.ts'
import { addMoney, zeroMoney } from '../../src/domain/money.ts'
import { paymentStates } from '../../src/domain/payments/payment.ts'
import { sharePurchaseStatuses } from '../../src/domain/share-purchases/share-purchase.ts'
import type { Row } from '../../src/operations/operations.ts'

export default class PurchaseList extends operationCommand('purchase.list') {
  static override summary = 'List share purchases, newest first.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --status submitted',
    '<%= config.bin %> <%= command.id %> --settled-since 2026-11-01 --settled-until 2026-12-01 -o csv',
  ]
  static override flags = {
    status: Flags.option({ options: sharePurchaseStatuses, description: 'Filter by status.' })(),
    organization: organizationFlag(),
    cooperative: cooperativeFlag(),
    investor: Flags.string({
      helpValue: 'INVESTOR',
      description: 'Id of the investor, or the partner’s reference.',
    }),
    since: timeFlag('Placed at or after this time'),
    until: timeFlag('Placed before this time'),
    proposed: Flags.boolean({
      description: 'Only orders with a decision to be confirmed.',
    }),
    'payment-state': Flags.option({
      options: paymentStates,
      description: 'Filter by the state of the payment.',
    })(),
    'settled-since': timeFlag('Settled at or after this time'),
    'settled-until': timeFlag('Settled before this time'),
    ...listFlags,
  }

  async run() {
    const { flags } = await this.parse(PurchaseList)
    const { status, organization, cooperative, investor, since, until, proposed } = flags
    const settled = { since: flags['settled-since'], until: flags['settled-until'] }
    const sorts = settled.since || settled.until ? ['settled_at'] : ['created_at']
    await this.showList(flags, {
      read: async ({ sort = '-created_at', limit }) => {
        const service = await this.connect(flags)
        return service.list('purchase.list', {
          status,
          organization,
          cooperative,
          investor,
          since,
          until,
          proposed,
          payment_state: flags['payment-state'],
          settled_since: settled.since,
          settled_until: settled.until,
          limit,
          sort: orderOf(sort),
        })
      },
      sorts,
      sum: () => new Sum(),
      empty:
        'No share purchases yet. Partners place them through the API; `coopshare client list` shows who can.',
      columns: {
        ID: 'share_purchase_id',
        ...(proposed ? proposal : { STATUS: 'status' }),
        PARTNER: 'organization',
        NAME: 'investor',
        COOPERATIVE: 'cooperative',
        SHARES: 'share_count',
        TOTAL: ({ total, total_currency }) => `${total} ${total_currency}`,
        ...(sorts.includes('settled_at')
          ? { SETTLED: 'settled_at' }
          : { AGE: ({ created_at }) => ageOf(created_at) }),
      },
      wide: {
        CUSTOMER: 'partner_customer_ref',
        PLACED: 'created_at',
        ...(proposed ? { STATUS: 'status' } : proposal),
        KEY: 'cooperative_key',
        INVESTOR: 'investor_id',
        ORGANIZATION: 'organization_id',
        REASON: 'reason',
      },
    })
  }
}

type Order = Row<'purchase.list'>

/** The decision that waits for a second operator, and who proposed it. */
const proposal: Columns<Order> = {
  PROPOSED: ({ proposal }) =>
    proposal && `${proposal.decision} by ${proposal.operator}, ${ageOf(proposal.at)}`,
}

/** The foot of the table. */
class Sum {
  #orders = 0
  #shares = 0
  #total = zeroMoney
  #currency = ''

  add(rows: readonly Order[]): void {
    for (const { share_count, total, total_currency } of rows) {
      this.#orders += 1
      this.#shares += share_count
      this.#total = addMoney(this.#total, total)
      this.#currency = total_currency
    }
  }

  render(): string | undefined {
    if (this.#orders < 2) return undefined
    return `${this.#orders} share purchases: ${this.#shares} shares, ${this.#total} ${this.#currency}.`
  }
}
