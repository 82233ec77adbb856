import { required } from '../../src/cli/arguments.ts'
import { noteSigningSecret } from '../../src/cli/lost-output.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'
import { renderFields } from '../../src/cli/table.ts'

export default class WebhookRotateSecret extends ServiceCommand {
  static override summary =
    'Replace the signing secret of a webhook endpoint. It is shown only once.'
  static override description =
    'All deliveries are signed with the new secret at once; the old secret is no longer used.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 01a1fad6-a997-7254-a5b3-90eb185380e3',
  ]
  static override args = { webhook: required('Id of the webhook endpoint.') }

  async run() {
    const { args, flags } = await this.parse(WebhookRotateSecret)
    const service = await this.connect(flags)
    const endpoint = await service.call('webhook.rotate_secret', {
      webhook_endpoint_id: args.webhook,
    })
    noteSigningSecret(endpoint)
    const { webhook_endpoint_id, url, signing_secret } = endpoint
    this.show(renderFields({ webhook_endpoint_id, url, signing_secret }))
    this.log(
      'Store the signing secret now: it cannot be shown again. The old secret is no longer used.',
    )
    return endpoint
  }
}
