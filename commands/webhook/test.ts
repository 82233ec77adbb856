import { required } from '../../src/cli/arguments.ts'
import { describeOutcome } from '../../src/cli/describe-outcome.ts'
import { exitCodes } from '../../src/cli/exit-codes.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'

export default class WebhookTest extends ServiceCommand {
  static override summary = 'Send a signed event of type webhook.test to an endpoint, once.'
  static override description =
    'It is not in the log of events. Ends with 0 when the endpoint takes it, else with 4.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 01a1fad6-a997-7254-a5b3-90eb185380e3',
  ]
  static override args = { webhook: required('Id of the webhook endpoint.') }

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
