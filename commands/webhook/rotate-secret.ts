import { Flags } from '@oclif/core'
import { required } from '../../src/cli/arguments.ts'
import { noteSigningSecret } from '../../src/cli/lost-output.ts'
import { operationCommand } from '../../src/cli/service-command.ts'
import { renderFields } from '../../src/cli/table.ts'
import { invalid } from '../../src/config/common-flags.ts'
import { overlapHint, parseOverlap } from '../../src/domain/webhooks/webhook-endpoint.ts'

export default class WebhookRotateSecret extends operationCommand('webhook.rotate_secret') {
  static override summary =
    'Replace the signing secret of a webhook endpoint. The new secret is shown only once.'
  static override description =
    'From now on, all deliveries are signed with the new secret. During --overlap, deliveries also have a signature with the old secret, so a receiver that accepts any matching v1 can change its secret later.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 01a1fad6-a997-7254-a5b3-90eb185380e3',
    '<%= config.bin %> <%= command.id %> 01a1fad6-a997-7254-a5b3-90eb185380e3 --overlap 24h',
  ]
  static override args = { webhook: required('Webhook endpoint id.') }
  static override flags = {
    overlap: Flags.string({
      helpValue: 'TIME',
      parse: async (text) => requireOverlap(text),
      description:
        'How long deliveries are also signed with the old secret, up to 7d. Default: no overlap.',
    }),
  }

  async run() {
    const { args, flags } = await this.parse(WebhookRotateSecret)
    const endpoint = await this.call(flags, {
      webhook_endpoint_id: args.webhook,
      overlap: flags.overlap,
    })
    noteSigningSecret(endpoint)
    const { webhook_endpoint_id, url, signing_secret } = endpoint
    this.show(renderFields({ webhook_endpoint_id, url, signing_secret }))
    const until = endpoint.previous_secret_until
    this.log(
      `Store the signing secret now: it cannot be shown again. ${until === null ? 'The old secret is no longer used.' : `Deliveries are also signed with the old secret until ${until}.`}`,
    )
    return endpoint
  }
}

function requireOverlap(text: string): string {
  if (parseOverlap(text) !== undefined) return text
  throw invalid(`--overlap ${overlapHint}, not "${text}".`)
}
