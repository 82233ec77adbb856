import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { secretFlag, toleranceFlag } from '../../src/tools/signature/arguments.ts'

export default class WebhookReceive extends BaseCommand {
  static override summary = 'Receive webhooks on your machine and verify their signatures.'
  static override description = [
    'A receiver for trials, until you have your own. The receiver answers 204 if the signature is valid and 401 if not, and prints one line for each webhook.',
    'The receiver knows one secret and stores nothing.',
  ].join('\n')
  static override examples = [
    'COOPSHARE_SIGNING_SECRET=whsec_… <%= config.bin %> <%= command.id %> --port 3000',
    'COOPSHARE_SIGNING_SECRET=whsec_… <%= config.bin %> <%= command.id %> --answer 503 --json',
  ]
  static override flags = {
    secret: secretFlag,
    port: Flags.integer({
      min: 0,
      max: 65_535,
      default: 3000,
      description: 'Port to listen on; 0 picks a free one.',
    }),
    host: Flags.string({ default: '127.0.0.1', description: 'Address to listen on.' }),
    tolerance: toleranceFlag,
    answer: Flags.integer({
      min: 200,
      max: 599,
      default: 204,
      helpValue: 'STATUS',
      description: 'Status to answer to valid webhooks, for example 503 to see retries.',
    }),
  }

  protected override readonly printsLines = true

  async run() {
    const { flags } = await this.parse(WebhookReceive)
    const { describeReceived, receiveWebhooks, renderReceived } = await import(
      '../../src/tools/receive/receive-webhooks.ts'
    )
    await receiveWebhooks({
      host: flags.host,
      port: flags.port,
      secret: flags.secret,
      toleranceSeconds: flags.tolerance,
      statusIfValid: flags.answer,
      greet: (url) => this.showLine(`Receiving on ${url}`, { url }),
      report: (received) => this.showLine(describeReceived(received), renderReceived(received)),
    })
    return undefined
  }
}
