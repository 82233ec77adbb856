import { required } from '../../src/cli/arguments.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'

export default class OrganizationRename extends ServiceCommand {
  static override summary = 'Rename a partner organization. Its id, clients and orders stay.'
  static override description =
    'Change the name in your fixture files, too: otherwise the next file that you apply creates the old organization again.'
  static override examples = ['<%= config.bin %> <%= command.id %> "Demo Bank" "Example Bank"']
  static override args = {
    organization: required('Id or exact name of the organization.'),
    name: required('New name; unique, ignoring case.'),
  }

  async run() {
    const { args, flags } = await this.parse(OrganizationRename)
    const service = await this.connect(flags)
    const organization = await service.call('organization.rename', args)
    this.log(`Renamed ${organization.organization_id} to ${organization.name}.`)
    return organization
  }
}
