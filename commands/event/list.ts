import { Flags } from '@oclif/core'
import { eventFilterFlags } from '../../src/cli/event-filter.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'
import { eventStates } from '../../src/domain/webhooks/event.ts'

export default class EventList extends ServiceCommand {
  static override summary = 'List events, oldest first.'
  static override description =
    'Dead: an endpoint did not take it in six attempts. None: there was no endpoint to send it to. Mails do not count; --state dead --mail finds those that are dead.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --state dead',
    '<%= config.bin %> <%= command.id %> --state dead --mail',
    '<%= config.bin %> <%= command.id %> --organization "Demo Bank" --since 2h --json',
  ]
  static override flags = {
    state: Flags.option({ options: eventStates, description: 'Only those in it.' })(),
    mail: Flags.boolean({
      dependsOn: ['state'],
      description: 'With --state dead: those whose mail to the investor is dead.',
    }),
    ...eventFilterFlags,
  }

  async run() {
    const { flags } = await this.parse(EventList)
    const { state, mail, organization, type, since, until, limit } = flags
    const service = await this.connect(flags)
    const filter = { state, mail, organization, type, since, until, limit }
    await this.showList(service.list('event.list', filter), {
      ID: (event) => event.event_id,
      TYPE: (event) => event.type,
      STATE: (event) => event.state,
      ATTEMPTS: (event) => event.attempts,
      'SHARE PURCHASE': (event) => event.share_purchase_id,
      CREATED: (event) => event.created_at,
      ORGANIZATION: (event) => event.organization_id,
    })
  }
}
