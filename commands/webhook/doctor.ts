import { required } from '../../src/cli/arguments.ts'
import { exitCodes } from '../../src/cli/exit-codes.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'
import { showOnOneLine } from '../../src/domain/hidden-characters.ts'

export default class WebhookDoctor extends ServiceCommand {
  static override summary = 'Find out why events do not arrive at a webhook endpoint.'
  static override description =
    'Looks at the name, the addresses and the certificate, sends a signed event of type webhook.test, and one with a wrong signature that has to be refused. One line a check; ends with 4 when anything is wrong.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 01a1fad6-a997-7254-a5b3-90eb185380e3',
  ]
  static override args = { webhook: required('Id of the webhook endpoint.') }

  async run() {
    const { args, flags } = await this.parse(WebhookDoctor)
    const service = await this.connect(flags)
    const report = await service.call('webhook.doctor', { webhook_endpoint_id: args.webhook })
    for (const { check, result, detail } of report.checks) {
      this.show(`${result.padEnd(8)} ${check.padEnd(16)} ${showOnOneLine(detail)}`)
    }
    if (!report.healthy) {
      if (service.webhookAdvice) this.tell(service.webhookAdvice)
      process.exitCode = exitCodes.refused
    }
    return report
  }
}
