import { required, yesFlag } from '../../src/cli/arguments.ts'
import { requireYesInProduction } from '../../src/cli/confirm.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class ClientRevokeSecret extends operationCommand('client.revoke_secret') {
  static override examples = [
    '<%= config.bin %> <%= command.id %> 0b8f0b5c-6d0c-4b8e-9a55-0c3f5f5d2f11 5d0e9f6e-51f4-4c3e-8f0e-2f2f6d1f7c55',
  ]
  static override args = {
    client: required('Client id.'),
    secret: required('Id of the secret; `client show` lists it.'),
  }

  static override flags = { yes: yesFlag }

  async run() {
    const { args, flags } = await this.parse(ClientRevokeSecret)
    await requireYesInProduction(flags, `Revoke the secret ${args.secret}`)
    const client = await this.call(flags, {
      client_id: args.client,
      secret_id: args.secret,
    })
    this.log(`Revoked ${args.secret}. The secret gets no new tokens.`)
    return client
  }
}
