import { required } from '../../src/cli/arguments.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'

export default class KeyRevoke extends ServiceCommand {
  static override summary = 'Withdraw a signing key at once: its access tokens are refused.'
  static override description =
    'For a key that others may have. Partners get 401 with the tokens that it signed, and request new ones. Instances on one database notice within a second. If it is the key that signs, another one signs at once. Put -- before an id that begins with -.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> WT6GFXkE8Zcs9rDZJY_mHJkrTQvl5UuPYPVsZRrgGEk',
  ]
  static override args = { key: required('Id of the key, as `key list` shows it.') }

  async run() {
    const { args, flags } = await this.parse(KeyRevoke)
    const service = await this.connect(flags)
    const key = await service.call('key.revoke', { kid: args.key })
    this.log(
      `Revoked ${key.kid}. Its access tokens are refused now; new ones are signed with ${key.signing_kid}.`,
    )
    return key
  }
}
