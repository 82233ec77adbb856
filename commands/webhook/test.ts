import { required } from '../../src/cli/arguments.ts'
import { exitCodes } from '../../src/cli/error-codes.ts'
import { describeOutcome } from '../../src/cli/render-event.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class WebhookTest extends operationCommand('webhook.test') {
  static override summary = 'Send one signed event of type webhook.test to an endpoint.'
  static override description =
    'The event does not appear in `event list`.\n\nExit code 0: the endpoint accepted the event. Exit code 4: the endpoint did not accept the event.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 01a1fad6-a997-7254-a5b3-90eb185380e3',
  ]
  static override args = { webhook: required('Webhook endpoint id.') }

  async run() {
    const { args, flags } = await this.parse(WebhookTest)
    const service = await this.connect(flags)
    const tried = await service.call('webhook.test', { webhook_endpoint_id: args.webhook })
    this.log(`${tried.delivered ? 'Delivered' : 'Not delivered'}: ${describeOutcome(tried)}`)
    if (!tried.delivered) {
      if (service.webhookAdvice) this.tell(service.webhookAdvice)
      process.exitCode = exitCodes.refused
    }
    return tried
  }
}
