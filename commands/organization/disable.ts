import { required } from '../../src/cli/arguments.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class OrganizationDisable extends operationCommand('organization.disable') {
  static override summary = 'Disable a partner organization: its tokens are refused immediately.'
  static override description =
    'The clients of the organization get no new tokens, and its webhooks wait until you enable it again. You can still decide on its orders, and investors still get their e-mails.'
  static override examples = ['<%= config.bin %> <%= command.id %> "Demo Bank"']
  static override args = { organization: required('Organization id or exact name.') }

  async run() {
    const { args, flags } = await this.parse(OrganizationDisable)
    const organization = await this.call(flags, args)
    this.log(`Disabled ${organization.name}.`)
    return organization
  }
}
