import { required } from '../../src/cli/arguments.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class WebhookResume extends operationCommand('webhook.resume') {
  static override description =
    'Deliveries that fell due during the pause are sent immediately. Deliveries that failed before the pause keep their number of attempts.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 01a1fad6-a997-7254-a5b3-90eb185380e3',
  ]
  static override args = { webhook: required('Webhook endpoint id.') }

  async run() {
    const { args, flags } = await this.parse(WebhookResume)
    const endpoint = await this.call(flags, { webhook_endpoint_id: args.webhook })
    this.log(`${endpoint.url} gets its events again.`)
    return endpoint
  }
}
