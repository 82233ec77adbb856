import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { printJson } from '../../src/cli/print.ts'
import { secretFlag, toleranceFlag } from '../../src/cli/signature/arguments.ts'

export default class WebhookReceive extends BaseCommand {
  static override summary = 'Receive webhooks on this machine, and verify each.'
  static override description = [
    'A receiver to try things with, until there is one of yours: it verifies the signature, answers 204, or 401 when the signature is not good, and prints a line for each.',
    'It keeps nothing, and knows one secret.',
  ].join('\n')
  static override examples = [
    'COOPSHARE_SIGNING_SECRET=whsec_… <%= config.bin %> <%= command.id %> --port 3000',
    'COOPSHARE_SIGNING_SECRET=whsec_… <%= config.bin %> <%= command.id %> --answer 503 --json',
  ]
  static override flags = {
    secret: secretFlag(),
    port: Flags.integer({
      min: 0,
      max: 65_535,
      default: 3000,
      description: 'Where it listens; 0 takes a free port.',
    }),
    host: Flags.string({ default: '127.0.0.1', description: 'Address that it listens on.' }),
    tolerance: toleranceFlag(),
    answer: Flags.integer({
      min: 200,
      max: 599,
      default: 204,
      helpValue: 'STATUS',
      description: 'Answer to what has a good signature: 503 shows what becomes of a failure.',
    }),
  }

  async run() {
    const { flags } = await this.parse(WebhookReceive)
    const { receiveWebhooks } = await import('../../src/cli/receive/receive-webhooks.ts')
    const lines = await import('../../src/cli/receive/lines.ts')
    await receiveWebhooks({
      host: flags.host,
      port: flags.port,
      secret: flags.secret,
      toleranceSeconds: flags.tolerance,
      goodStatus: flags.answer,
      greet: (url) => this.#showLine(`Receiving on ${url}`, { url }),
      report: (received) =>
        this.#showLine(lines.describeReceived(received), lines.renderReceived(received)),
    })
    return undefined
  }

  /** An error is one of the lines, too. */
  override logJson(json: unknown): void {
    printJson(json)
  }

  /** As it comes, and not all of it at the end: under `--json` one object a line. */
  #showLine(text: string, data: object): void {
    if (this.jsonEnabled()) printJson(data)
    else this.show(text)
  }
}
