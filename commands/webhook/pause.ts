import { required } from '../../src/cli/arguments.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class WebhookPause extends operationCommand('webhook.pause') {
  static override description =
    'Events are still recorded, and the endpoint gets them in order once you resume it. A delivery that is in progress is completed.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 01a1fad6-a997-7254-a5b3-90eb185380e3',
  ]
  static override args = { webhook: required('Webhook endpoint id.') }

  async run() {
    const { args, flags } = await this.parse(WebhookPause)
    const endpoint = await this.call(flags, { webhook_endpoint_id: args.webhook })
    this.log(
      `${endpoint.url} is paused. Its deliveries wait. To resume the endpoint: coopshare webhook resume ${endpoint.webhook_endpoint_id}`,
    )
    return endpoint
  }
}
