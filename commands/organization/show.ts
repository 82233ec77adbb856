import { required } from '../../src/cli/arguments.ts'
import { operationCommand } from '../../src/cli/service-command.ts'
import { renderFields } from '../../src/cli/table.ts'

export default class OrganizationShow extends operationCommand('organization.show') {
  static override examples = ['<%= config.bin %> <%= command.id %> "Demo Bank"']
  static override args = { organization: required('Organization id or exact name.') }

  async run() {
    const { args, flags } = await this.parse(OrganizationShow)
    const organization = await this.call(flags, args)
    this.show(renderFields(organization))
    return organization
  }
}
