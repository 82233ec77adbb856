import { limitFlag, organizationFlag } from '../../src/cli/arguments.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'
import { renderTable } from '../../src/cli/table.ts'

export default class WebhookList extends ServiceCommand {
  static override summary = 'List webhook endpoints, oldest first.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --organization "Demo Bank" --json',
  ]
  static override flags = { organization: organizationFlag(), limit: limitFlag() }

  async run() {
    const { flags } = await this.parse(WebhookList)
    const { organization, limit } = flags
    const service = await this.connect(flags)
    const endpoints = (await service.call('webhook.list', { organization })).slice(0, limit)
    this.show(
      renderTable(endpoints, {
        ID: (endpoint) => endpoint.webhook_endpoint_id,
        URL: (endpoint) => endpoint.url,
        ORGANIZATION: (endpoint) => endpoint.organization_id,
        REGISTERED: (endpoint) => endpoint.created_at,
        TYPES: ({ types }) =>
          types?.map((type) => type.replace(/^share_purchase\./, '')).join(' ') ?? 'all',
        PAUSED: (endpoint) => endpoint.paused_at ?? '',
      }),
    )
    return endpoints
  }
}
