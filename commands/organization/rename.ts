import { required } from '../../src/cli/arguments.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class OrganizationRename extends operationCommand('organization.rename') {
  static override summary = 'Rename a partner organization, which keeps its id, clients and orders.'
  static override description =
    'Also change the name in your fixture files: otherwise the next file that you apply creates an organization with the old name.'
  static override examples = ['<%= config.bin %> <%= command.id %> "Demo Bank" "Example Bank"']
  static override args = {
    organization: required('Organization id or exact name.'),
    name: required('New name; must be unique, ignoring case.'),
  }

  async run() {
    const { args, flags } = await this.parse(OrganizationRename)
    const organization = await this.call(flags, args)
    this.log(`Renamed ${organization.organization_id} to ${organization.name}.`)
    return organization
  }
}
