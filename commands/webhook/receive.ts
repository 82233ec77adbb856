import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/base-command.ts'
import type { receivedWebhook, receiverAddress } from '../../src/tools/receive/receive-webhooks.ts'
import { secretFlag, toleranceFlag } from '../../src/tools/signature/arguments.ts'
import { either, type Rendered } from '../../src/wire/view.ts'

export default class WebhookReceive extends BaseCommand<
  Rendered<typeof receiverAddress | typeof receivedWebhook>
> {
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

  override get printsLines() {
    return true
  }

  override async output() {
    const { receivedWebhook, receiverAddress } = await import(
      '../../src/tools/receive/receive-webhooks.ts'
    )
    return {
      ...either(receiverAddress, receivedWebhook),
      note: 'First the address of the receiver, then each webhook.',
    }
  }

  async run() {
    const { flags } = await this.parse(WebhookReceive)
    const { describeReceived, receivedWebhook, receiveWebhooks } = await import(
      '../../src/tools/receive/receive-webhooks.ts'
    )
    await receiveWebhooks({
      host: flags.host,
      port: flags.port,
      secret: flags.secret,
      toleranceSeconds: flags.tolerance,
      statusIfValid: flags.answer,
      greet: (url) => this.showLine(`Receiving on ${url}`, { url }),
      report: (received) =>
        this.showLine(describeReceived(received), receivedWebhook.render(received)),
    })
  }
}
