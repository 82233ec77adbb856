import { BaseCommand } from '../../src/cli/base-command.ts'
import {
  bodyArgument,
  readBody,
  secondsFlag,
  secondsNow,
  secretFlag,
} from '../../src/tools/signature/arguments.ts'
import { count, plain, type Rendered, text } from '../../src/wire/view.ts'

const signature = plain('Signature', {
  signature: text('Value of the X-Service-Webhook-Signature header.'),
  t: count('Time of the signature, in seconds since 1970.'),
})

export default class SignatureSign extends BaseCommand<Rendered<typeof signature>> {
  static override summary = 'Sign a webhook body, to test a receiver without a service.'
  static override description =
    'Prints the value of the X-Service-Webhook-Signature header. Works offline.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --secret whsec_… body.json',
    'COOPSHARE_SIGNING_SECRET=whsec_… <%= config.bin %> <%= command.id %> --at 1767225600 - < body.json',
  ]
  static override args = bodyArgument
  static override flags = {
    secret: secretFlag,
    at: secondsFlag('Time of the signature (t). Default: now.'),
  }

  override async output() {
    return signature
  }

  async run() {
    const { args, flags } = await this.parse(SignatureSign)
    const { signWebhook } = await import('../../src/usecases/webhooks/sign-webhook.ts')
    const body = await readBody(args.file)
    const t = flags.at ?? secondsNow()
    const signature = signWebhook({
      secret: flags.secret,
      body,
      at: new Date(t * 1000).toISOString(),
    })
    this.show(signature)
    return { signature, t }
  }
}
