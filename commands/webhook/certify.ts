import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { exitCodes } from '../../src/cli/error-codes.ts'
import { parseReceiverUrl } from '../../src/config/common-flags.ts'
import type { receiverCertificate } from '../../src/tools/certify/certify-receiver.ts'
import { junitFlag } from '../../src/tools/junit.ts'
import { readSigningSecret } from '../../src/tools/signature/arguments.ts'
import type { Rendered } from '../../src/wire/view.ts'

export default class WebhookCertify extends BaseCommand<Rendered<typeof receiverCertificate>> {
  static override summary = 'Check whether a receiver handles webhooks correctly.'
  static override description = [
    'Needs no service. Sends events of invented orders to the receiver: valid, forged, stale, repeated, out of order and of unknown types. Use a test installation of your receiver.',
    'The receiver’s secret comes from the variable COOPSHARE_SIGNING_SECRET.',
    'With --state-url it also asks the receiver what it has processed. To GET with ?share_purchase_id=ID, the receiver must answer {"status": "approved", "events": ["id of each processed event"]}. Without --state-url, cases that need this answer are not judged.',
    'Exit code 4: a case failed. Exit code 5: the receiver cannot be reached.',
  ].join('\n\n')
  static override examples = [
    'COOPSHARE_SIGNING_SECRET=whsec_… <%= config.bin %> <%= command.id %> http://127.0.0.1:3000/hooks',
    '<%= config.bin %> <%= command.id %> http://127.0.0.1:3000/hooks --state-url http://127.0.0.1:3000/state --junit certificate.xml',
  ]
  static override args = {
    url: Args.string({
      required: true,
      ignoreStdin: true,
      parse: async (text) => parseReceiverUrl('URL', text),
      description: 'URL of the receiver, http or https; it may be on this machine.',
    }),
  }
  static override flags = {
    junit: junitFlag,
    'state-url': Flags.string({
      helpValue: 'URL',
      parse: async (text) => parseReceiverUrl('--state-url', text),
      description: 'URL at which the receiver reports what it has processed.',
    }),
  }

  override async output() {
    const { receiverCertificate } = await import('../../src/tools/certify/certify-receiver.ts')
    return receiverCertificate
  }

  async run() {
    const { args, flags } = await this.parse(WebhookCertify)
    const { certifyReceiver, describeCertificate, receiverCertificate, reportCertificate } =
      await import('../../src/tools/certify/certify-receiver.ts')
    const secret = readSigningSecret()
    const certificate = await certifyReceiver({
      url: args.url,
      secret,
      stateUrl: flags['state-url'],
    })
    for (const line of describeCertificate(certificate)) this.show(line)
    if (flags.junit !== undefined) await reportCertificate(flags.junit, certificate)
    if (!certificate.isCertified) process.exitCode = exitCodes.refused
    return receiverCertificate.render(certificate)
  }
}
