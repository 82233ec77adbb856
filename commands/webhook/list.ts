import { organizationFlag } from '../../src/cli/arguments.ts'
import { shortTypeOf } from '../../src/cli/event-flags.ts'
import { listFlags } from '../../src/cli/list-output.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class WebhookList extends operationCommand('webhook.list') {
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --organization "Demo Bank" --json',
  ]
  static override flags = { organization: organizationFlag(), ...listFlags }

  async run() {
    const { flags } = await this.parse(WebhookList)
    const { organization } = flags
    await this.showList(flags, {
      read: () => this.call(flags, { organization }),
      empty:
        'No webhook endpoints yet. Register one: `coopshare webhook register --organization NAME URL`.',
      columns: {
        ID: 'webhook_endpoint_id',
        URL: 'url',
        PARTNER: 'organization',
        TYPES: ({ types }) => types?.map(shortTypeOf).join(' ') ?? 'all',
        'SUCCESS 24 H': ({ success_percent_24h: percent }) =>
          percent === null ? '–' : `${percent} %`,
        PAUSED: ({ paused_at }) => paused_at ?? '',
      },
      wide: { ORGANIZATION: 'organization_id', REGISTERED: 'created_at' },
    })
  }
}
