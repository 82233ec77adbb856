import { required } from '../../src/cli/arguments.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class OrganizationCreate extends operationCommand('organization.create') {
  static override examples = ['<%= config.bin %> <%= command.id %> "Demo Bank"']
  static override args = { name: required('Name; must be unique, ignoring case.') }

  protected override readonly mayBeginStore = true

  async run() {
    const { args, flags } = await this.parse(OrganizationCreate)
    const organization = await this.call(flags, { name: args.name })
    this.log(`Created ${organization.name}: ${organization.organization_id}`)
    return organization
  }
}
