import { required } from '../../src/cli/arguments.ts'
import { noteSigningSecret } from '../../src/cli/lost-secrets.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'
import { renderFields } from '../../src/cli/table.ts'

export default class WebhookRotateSecret extends ServiceCommand {
  static override summary = 'Give a webhook endpoint another signing secret. It is shown once.'
  static override description =
    'At once: every attempt from now on is signed with the new secret, and nothing with the former one.'
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
    this.log('Keep the signing secret: it cannot be shown again. The former one is of no use now.')
    return endpoint
  }
}
