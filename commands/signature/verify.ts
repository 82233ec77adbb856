import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { exitCodes } from '../../src/cli/error-codes.ts'
import {
  bodyArgument,
  readBody,
  secondsFlag,
  secondsNow,
  secretFlag,
  toleranceFlag,
} from '../../src/tools/signature/arguments.ts'
import type { verifiedSignature } from '../../src/tools/signature/diagnose-signature.ts'
import type { Rendered } from '../../src/wire/view.ts'

export default class SignatureVerify extends BaseCommand<Rendered<typeof verifiedSignature>> {
  static override summary = 'Verify a webhook signature, and explain why an invalid one is refused.'
  static override description =
    'Works offline.\n\nExit code 0: the signature is valid. Exit code 4: the signature is not valid.'
  static override examples = [
    "<%= config.bin %> <%= command.id %> --secret whsec_… --header 't=1767225600,v1=5257a8…' body.json",
    "COOPSHARE_SIGNING_SECRET=whsec_… <%= config.bin %> <%= command.id %> --header 't=…,v1=…' --tolerance 600 - < body.json",
  ]
  static override args = bodyArgument
  static override flags = {
    secret: secretFlag,
    header: Flags.string({
      required: true,
      helpValue: 'VALUE',
      description: 'Value of the X-Service-Webhook-Signature header.',
    }),
    tolerance: toleranceFlag,
    at: secondsFlag('Time of the verification. Default: now.'),
  }

  override async output() {
    const { verifiedSignature } = await import('../../src/tools/signature/diagnose-signature.ts')
    return verifiedSignature
  }

  async run() {
    const { args, flags } = await this.parse(SignatureVerify)
    const { diagnoseSignature, verifiedSignature } = await import(
      '../../src/tools/signature/diagnose-signature.ts'
    )
    const { secret, header, tolerance: toleranceSeconds, at: atSeconds = secondsNow() } = flags
    const body = await readBody(args.file)
    const given = { secret, header, body, toleranceSeconds, atSeconds }
    const diagnosis = diagnoseSignature(given)
    for (const { detail } of diagnosis.faults) this.show(`Wrong: ${detail}`)
    if (diagnosis.isValid) this.show('The signature is valid.')
    else process.exitCode = exitCodes.refused
    return verifiedSignature.render(diagnosis)
  }
}
