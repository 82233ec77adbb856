import { required } from '../../src/cli/arguments.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class OrganizationEnable extends operationCommand('organization.enable') {
  static override description =
    'The clients and tokens of the organization work again, and its waiting webhooks are sent in order.'
  static override examples = ['<%= config.bin %> <%= command.id %> "Demo Bank"']
  static override args = { organization: required('Organization id or exact name.') }

  async run() {
    const { args, flags } = await this.parse(OrganizationEnable)
    const organization = await this.call(flags, args)
    this.log(`Enabled ${organization.name}.`)
    return organization
  }
}
