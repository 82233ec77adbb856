import { Flags } from '@oclif/core'
import { required } from '../../src/cli/arguments.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'
import { renderFields } from '../../src/cli/table.ts'

export default class OrganizationUpdate extends ServiceCommand {
  static override summary = 'Change the settings of a partner organization.'
  static override examples = ['<%= config.bin %> <%= command.id %> "Demo Bank" --no-investor-mail']
  static override args = { organization: required('Id or exact name of the organization.') }
  static override flags = {
    'investor-mail': Flags.boolean({
      allowNo: true,
      required: true,
      description: 'Whether investors get an e-mail when the status of their order changes.',
    }),
  }

  async run() {
    const { args, flags } = await this.parse(OrganizationUpdate)
    const service = await this.connect(flags)
    const organization = await service.call('organization.update', {
      organization: args.organization,
      investor_mail: flags['investor-mail'],
    })
    this.show(renderFields(organization))
    return organization
  }
}
