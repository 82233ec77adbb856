import { Flags } from '@oclif/core'
import { eventFilterFlags, shortTypeOf } from '../../src/cli/event-flags.ts'
import { listFlags, orderOf } from '../../src/cli/list-output.ts'
import { operationCommand } from '../../src/cli/service-command.ts'
import { ageOf } from '../../src/cli/table.ts'
import { eventStates } from '../../src/domain/webhooks/event.ts'

export default class EventList extends operationCommand('event.list') {
  static override summary = 'List events, newest first.'
  static override description =
    'An event is dead if one of its webhook deliveries is dead. The state is none if the organization had no endpoint for the event. To find failed e-mails, use --state dead --mail.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --state dead',
    '<%= config.bin %> <%= command.id %> --organization "Demo Bank" --since 2h --json',
  ]
  static override flags = {
    state: Flags.option({ options: eventStates, description: 'Filter by state.' })(),
    mail: Flags.boolean({
      dependsOn: ['state'],
      description: 'With --state dead: only e-mails that failed.',
    }),
    ...eventFilterFlags,
    ...listFlags,
  }

  async run() {
    const { flags } = await this.parse(EventList)
    const { state, mail, organization, type, since, until } = flags
    await this.showList(flags, {
      read: async ({ sort = '-created_at', limit }) => {
        const service = await this.connect(flags)
        return service.list('event.list', {
          state,
          mail,
          organization,
          type,
          since,
          until,
          limit,
          sort: orderOf(sort),
        })
      },
      sorts: ['created_at'],
      empty:
        'No events yet. Each change of an order creates one; `coopshare purchase list` shows the orders.',
      columns: {
        ID: 'event_id',
        TYPE: ({ type }) => shortTypeOf(type),
        STATE: 'state',
        ATTEMPTS: 'attempts',
        'SHARE PURCHASE': 'share_purchase_id',
        PARTNER: 'organization',
        AGE: ({ created_at }) => ageOf(created_at),
      },
      wide: { CREATED: 'created_at', ORGANIZATION: 'organization_id' },
    })
  }
}
