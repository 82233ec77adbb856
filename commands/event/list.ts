import { Flags } from '@oclif/core'
import { eventFilterFlags } from '../../src/cli/event-flags.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'
import { eventStates } from '../../src/domain/webhooks/event.ts'

export default class EventList extends ServiceCommand {
  static override summary = 'List events, oldest first.'
  static override description =
    'The state of an event is dead if a webhook endpoint refused it six times, and none if there was no endpoint to send it to. The state does not cover e-mails to investors: use --state dead --mail to find e-mails that failed.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --state dead',
    '<%= config.bin %> <%= command.id %> --state dead --mail',
    '<%= config.bin %> <%= command.id %> --organization "Demo Bank" --since 2h --json',
  ]
  static override flags = {
    state: Flags.option({ options: eventStates, description: 'Filter by state.' })(),
    mail: Flags.boolean({
      dependsOn: ['state'],
      description: 'With --state dead: find e-mails that failed.',
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
