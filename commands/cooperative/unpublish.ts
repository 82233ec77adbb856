import { required } from '../../src/cli/arguments.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'

export default class CooperativeUnpublish extends ServiceCommand {
  static override summary = 'Hide a cooperative from partners, but keep its orders and holdings.'
  static override examples = ['<%= config.bin %> <%= command.id %> solar-allgaeu']
  static override args = { cooperative: required('Id or key of the cooperative.') }

  async run() {
    const { args, flags } = await this.parse(CooperativeUnpublish)
    const service = await this.connect(flags)
    const cooperative = await service.call('cooperative.unpublish', {
      cooperative: args.cooperative,
    })
    this.log(`Unpublished ${cooperative.name}.`)
    return cooperative
  }
}
