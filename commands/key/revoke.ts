import { required, yesFlag } from '../../src/cli/arguments.ts'
import { requireYesInProduction } from '../../src/cli/confirm.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class KeyRevoke extends operationCommand('key.revoke') {
  static override description =
    'Use this if somebody else may have the key. Partners get 401 for tokens that the key signed, and request new ones. If the key is the current one, another key takes over immediately. Other instances on the same database refuse the tokens within a second. Put -- before an id that begins with -.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> WT6GFXkE8Zcs9rDZJY_mHJkrTQvl5UuPYPVsZRrgGEk',
  ]
  static override args = { key: required('Id of the key; `key list` shows it.') }

  static override flags = { yes: yesFlag }

  async run() {
    const { args, flags } = await this.parse(KeyRevoke)
    await requireYesInProduction(flags, `Revoke the key ${args.key}`)
    const key = await this.call(flags, { kid: args.key })
    this.log(
      `Revoked ${key.kid}. Its access tokens are refused; ${key.signing_kid} signs new ones.`,
    )
    return key
  }
}
