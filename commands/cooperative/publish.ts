import { required } from '../../src/cli/arguments.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'

export default class CooperativePublish extends ServiceCommand {
  static override summary = 'Make a cooperative visible to partners.'
  static override examples = ['<%= config.bin %> <%= command.id %> solar-allgaeu']
  static override args = { cooperative: required('Id or key of the cooperative.') }

  async run() {
    const { args, flags } = await this.parse(CooperativePublish)
    const service = await this.connect(flags)
    const cooperative = await service.call('cooperative.publish', { cooperative: args.cooperative })
    this.log(`Published ${cooperative.name}.`)
    return cooperative
  }
}
