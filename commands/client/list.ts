import { organizationFlag } from '../../src/cli/arguments.ts'
import { listFlags } from '../../src/cli/list-output.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'

export default class ClientList extends ServiceCommand {
  static override summary = 'List clients.'
  static override examples = ['<%= config.bin %> <%= command.id %> --organization "Demo Bank"']
  static override flags = { organization: organizationFlag(), ...listFlags }

  async run() {
    const { flags } = await this.parse(ClientList)
    const { organization } = flags
    await this.showList(flags, {
      read: async () => (await this.connect(flags)).call('client.list', { organization }),
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
