import { listFlags } from '../../src/cli/list-output.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class OrganizationList extends operationCommand('organization.list') {
  static override examples = ['<%= config.bin %> <%= command.id %>']
  static override flags = listFlags

  async run() {
    const { flags } = await this.parse(OrganizationList)
    await this.showList(flags, {
      read: () => this.call(flags, {}),
      empty: 'No organizations yet. Create one: `coopshare organization create NAME`.',
      columns: {
        ID: 'organization_id',
        NAME: 'name',
        'INVESTOR E-MAIL': 'investor_mail',
      },
      wide: { 'SELF-SERVICE': 'self_service', CREATED: 'created_at' },
    })
  }
}
