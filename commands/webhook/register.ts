import { Flags } from '@oclif/core'
import { required, requiredOrganizationFlag } from '../../src/cli/arguments.ts'
import { noteSigningSecret } from '../../src/cli/lost-output.ts'
import { operationCommand } from '../../src/cli/service-command.ts'
import { renderFields } from '../../src/cli/table.ts'
import { webhookEventTypes } from '../../src/domain/webhooks/event.ts'

export default class WebhookRegister extends operationCommand('webhook.register') {
  static override description =
    'The URL must use https and lead to public addresses. The endpoint receives events that happen from now on. The endpoint’s signing secret is shown only once.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --organization "Demo Bank" https://hooks.example/coopshare',
    '<%= config.bin %> <%= command.id %> --organization "Demo Bank" --type share_purchase.settled https://hooks.example/settled',
  ]
  static override args = { url: required('URL of the endpoint.') }
  static override flags = {
    organization: requiredOrganizationFlag,
    type: Flags.option({
      options: webhookEventTypes,
      multiple: true,
      multipleNonGreedy: true,
      description: 'Event type that the endpoint gets; repeatable. Default: all.',
    })(),
  }

  async run() {
    const { args, flags } = await this.parse(WebhookRegister)
    const { organization, type: types } = flags
    const endpoint = await this.call(flags, { organization, url: args.url, types })
    noteSigningSecret(endpoint)
    const { webhook_endpoint_id, url, signing_secret } = endpoint
    this.show(renderFields({ webhook_endpoint_id, url, signing_secret }))
    this.log('Store the signing secret now: it cannot be shown again.')
    return endpoint
  }
}
