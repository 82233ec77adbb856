import { required } from '../../src/cli/arguments.ts'
import { operationCommand } from '../../src/cli/service-command.ts'
import { renderFields, renderTable } from '../../src/cli/table.ts'

export default class ClientShow extends operationCommand('client.show') {
  static override examples = [
    '<%= config.bin %> <%= command.id %> 0b8f0b5c-6d0c-4b8e-9a55-0c3f5f5d2f11',
  ]
  static override args = { client: required('Client id.') }

  async run() {
    const { args, flags } = await this.parse(ClientShow)
    const client = await this.call(flags, { client_id: args.client })
    const { secrets, granted_scopes, ...fields } = client
    this.show(renderFields({ ...fields, granted_scopes: granted_scopes.join(' ') }))
    this.show()
    this.show(
      renderTable(secrets, {
        SECRET: 'secret_id',
        CREATED: 'created_at',
        'LAST USED': 'last_used_at',
      }),
    )
    return client
  }
}
