import { required, yesFlag } from '../../src/cli/arguments.ts'
import { requireYesInProduction } from '../../src/cli/confirm.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class WebhookRemove extends operationCommand('webhook.remove') {
  static override examples = [
    '<%= config.bin %> <%= command.id %> 01a1fad6-a997-7254-a5b3-90eb185380e3',
  ]
  static override args = { webhook: required('Webhook endpoint id.') }

  static override flags = { yes: yesFlag }

  async run() {
    const { args, flags } = await this.parse(WebhookRemove)
    await requireYesInProduction(flags, `Remove the webhook endpoint ${args.webhook}`)
    const removed = await this.call(flags, { webhook_endpoint_id: args.webhook })
    const { webhook_endpoint_id: id, ended_deliveries: ended } = removed
    this.log(`Removed ${id}. Deliveries that were pending: ${ended}.`)
    return removed
  }
}
