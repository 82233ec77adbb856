import { Flags } from '@oclif/core'
import { cooperativeFlag } from '../../src/cli/arguments.ts'
import { timeFlag } from '../../src/cli/event-flags.ts'
import { listFlags } from '../../src/cli/list-output.ts'
import { operationCommand } from '../../src/cli/service-command.ts'
import { collectionStates } from '../../src/domain/payments/debit-collection.ts'

export default class CollectionList extends operationCommand('collection.list') {
  static override examples = ['<%= config.bin %> <%= command.id %> --state created']
  static override flags = {
    cooperative: cooperativeFlag('Only collections of this cooperative, by id or key.'),
    state: Flags.option({
      options: collectionStates,
      description: 'Only collections in this state.',
    })(),
    since: timeFlag('Only collections created at or after this time'),
    until: timeFlag('Only collections created before this time'),
    ...listFlags,
  }

  async run() {
    const { flags } = await this.parse(CollectionList)
    const { cooperative, state, since, until } = flags
    await this.showList(flags, {
      read: async ({ limit }) => {
        const service = await this.connect(flags)
        return service.list('collection.list', { cooperative, state, since, until, limit })
      },
      empty:
        'No collections yet. `coopshare collection create` collects the payments that are due.',
      columns: {
        ID: 'collection_id',
        COOPERATIVE: 'cooperative_key',
        STATE: 'state',
        DUE: 'due_date',
        PAYMENTS: 'count',
        TOTAL: ({ total, total_currency }) => `${total} ${total_currency}`,
        CREATED: 'created_at',
      },
      wide: { BY: 'created_by', EXPORTED: 'exported_at', BOOKED: 'booked_on' },
      sorts: [],
    })
  }
}
