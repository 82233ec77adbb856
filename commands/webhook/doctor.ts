import { required } from '../../src/cli/arguments.ts'
import { exitCodes } from '../../src/cli/error-codes.ts'
import { operationCommand } from '../../src/cli/service-command.ts'
import { escapeToOneLine } from '../../src/domain/text.ts'

export default class WebhookDoctor extends operationCommand('webhook.doctor') {
  static override description =
    'Checks the host name, the addresses and the certificate, and then sends two events of type webhook.test: one with a valid signature, and one with a wrong signature that the endpoint must refuse.\n\nTo test stale signatures, altered bodies, repeated events, events out of order and unknown types, use `webhook certify`, which needs the receiver’s secret.\n\nExit code 4: a check failed.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 01a1fad6-a997-7254-a5b3-90eb185380e3',
  ]
  static override args = { webhook: required('Webhook endpoint id.') }

  async run() {
    const { args, flags } = await this.parse(WebhookDoctor)
    const service = await this.connect(flags)
    const report = await service.call('webhook.doctor', { webhook_endpoint_id: args.webhook })
    for (const { check, result, detail } of report.checks) {
      this.show(`${result.padEnd(8)} ${check.padEnd(16)} ${escapeToOneLine(detail)}`)
    }
    this.tell(untested)
    if (!report.healthy) {
      if (service.webhookAdvice) this.tell(service.webhookAdvice)
      process.exitCode = exitCodes.refused
    }
    return report
  }
}

const untested =
  'Not tested: stale signatures, altered bodies, repeated events, order, unknown types. Use `coopshare webhook certify`.'
