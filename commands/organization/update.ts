import { Flags } from '@oclif/core'
import { required } from '../../src/cli/arguments.ts'
import { operationCommand } from '../../src/cli/service-command.ts'
import { renderFields } from '../../src/cli/table.ts'

const settings = ['investor-mail', 'self-service']

export default class OrganizationUpdate extends operationCommand('organization.update') {
  static override examples = [
    '<%= config.bin %> <%= command.id %> "Demo Bank" --no-investor-mail',
    '<%= config.bin %> <%= command.id %> "Demo Bank" --self-service',
  ]
  static override args = { organization: required('Organization id or exact name.') }
  static override flags = {
    'investor-mail': Flags.boolean({
      allowNo: true,
      atLeastOne: settings,
      description: 'Whether investors get an e-mail when the status of their order changes.',
    }),
    'self-service': Flags.boolean({
      allowNo: true,
      description:
        'Whether the partner may decide its own orders and replay its own events below /sandbox (staging only).',
    }),
  }

  async run() {
    const { args, flags } = await this.parse(OrganizationUpdate)
    const organization = await this.call(flags, {
      organization: args.organization,
      investor_mail: flags['investor-mail'],
      self_service: flags['self-service'],
    })
    this.show(renderFields(organization))
    return organization
  }
}
