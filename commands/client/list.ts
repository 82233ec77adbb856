import { organizationFlag } from '../../src/cli/arguments.ts'
import { listFlags } from '../../src/cli/list-output.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class ClientList extends operationCommand('client.list') {
  static override summary = 'List clients.'
  static override examples = ['<%= config.bin %> <%= command.id %> --organization "Demo Bank"']
  static override flags = { organization: organizationFlag(), ...listFlags }

  async run() {
    const { flags } = await this.parse(ClientList)
    const { organization } = flags
    await this.showList(flags, {
      read: () => this.call(flags, { organization }),
      empty: 'No clients yet. Create one: `coopshare client create --organization NAME`.',
      columns: {
        ID: 'client_id',
        NAME: 'name',
        KIND: 'kind',
        DISABLED: 'disabled',
        PARTNER: 'organization',
        ORGANIZATION: 'organization_id',
        SCOPES: 'granted_scopes',
      },
      wide: { CREATED: 'created_at' },
    })
  }
}
