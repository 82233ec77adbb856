import { required, requiredOrganizationFlag } from '../../src/cli/arguments.ts'
import { noteSigningSecret } from '../../src/cli/lost-secrets.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'
import { renderFields } from '../../src/cli/table.ts'

export default class WebhookRegister extends ServiceCommand {
  static override summary = 'Register where a partner organisation gets its events.'
  static override description =
    'The URL has to be https and to lead to public addresses. It gets the events that happen from now on. The signing secret is shown once.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --organization "Demo Bank" https://hooks.example/coopshare',
  ]
  static override args = { url: required('URL that events are sent to.') }
  static override flags = { organization: requiredOrganizationFlag() }

  async run() {
    const { args, flags } = await this.parse(WebhookRegister)
    const { organization } = flags
    const service = await this.connect(flags)
    const endpoint = await service.call('webhook.register', { organization, url: args.url })
    noteSigningSecret(endpoint)
    const { webhook_endpoint_id, url, signing_secret } = endpoint
    this.show(renderFields({ webhook_endpoint_id, url, signing_secret }))
    this.log('Keep the signing secret: it cannot be shown again.')
    return endpoint
  }
}
