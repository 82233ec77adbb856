import { required } from '../../src/cli/arguments.ts'
import { noteSecondClientSecret } from '../../src/cli/lost-output.ts'
import { operationCommand } from '../../src/cli/service-command.ts'
import { renderFields } from '../../src/cli/table.ts'

export default class ClientRotateSecret extends operationCommand('client.rotate_secret') {
  static override summary = 'Add a second secret to a client. The new secret is shown only once.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 0b8f0b5c-6d0c-4b8e-9a55-0c3f5f5d2f11',
  ]
  static override args = { client: required('Client id.') }

  async run() {
    const { args, flags } = await this.parse(ClientRotateSecret)
    const client = await this.call(flags, { client_id: args.client })
    noteSecondClientSecret(client)
    const { client_id, client_secret, secret_id } = client
    this.show(renderFields({ client_id, client_secret, secret_id }))
    this.log(
      'Store the secret now: it cannot be shown again. The old secret works until you revoke it.',
    )
    return client
  }
}
