import { limitFlag, organizationFlag } from '../../src/cli/arguments.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'
import { renderTable } from '../../src/cli/table.ts'

export default class ClientList extends ServiceCommand {
  static override summary = 'List clients.'
  static override examples = ['<%= config.bin %> <%= command.id %> --organization "Demo Bank"']
  static override flags = { organization: organizationFlag(), limit: limitFlag() }

  async run() {
    const { flags } = await this.parse(ClientList)
    const service = await this.connect(flags)
    const all = await service.call('client.list', { organization: flags.organization })
    const clients = all.slice(0, flags.limit)
    this.show(
      renderTable(clients, {
        ID: (client) => client.client_id,
        NAME: (client) => client.name,
        KIND: (client) => client.kind,
        DISABLED: (client) => client.disabled,
        ORGANIZATION: (client) => client.organization_id,
        SCOPES: (client) => client.granted_scopes.join(' '),
      }),
    )
    return clients
  }
}
