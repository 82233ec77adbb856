import { limitFlag } from '../../src/cli/arguments.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'
import { renderTable } from '../../src/cli/table.ts'

export default class OrganizationList extends ServiceCommand {
  static override summary = 'List partner organizations.'
  static override examples = ['<%= config.bin %> <%= command.id %>']
  static override flags = { limit: limitFlag() }

  async run() {
    const { flags } = await this.parse(OrganizationList)
    const service = await this.connect(flags)
    const all = await service.call('organization.list', {})
    const organizations = all.slice(0, flags.limit)
    this.show(
      renderTable(organizations, {
        ID: (organization) => organization.organization_id,
        NAME: (organization) => organization.name,
        'INVESTOR E-MAIL': (organization) => organization.investor_mail,
      }),
    )
    return organizations
  }
}
