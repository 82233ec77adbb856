import { required } from '../../src/cli/arguments.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class CooperativeUnpublish extends operationCommand('cooperative.unpublish') {
  static override examples = ['<%= config.bin %> <%= command.id %> solar-allgaeu']
  static override args = { cooperative: required('Cooperative id or key.') }

  async run() {
    const { args, flags } = await this.parse(CooperativeUnpublish)
    const cooperative = await this.call(flags, {
      cooperative: args.cooperative,
    })
    this.log(`Unpublished ${cooperative.name}.`)
    return cooperative
  }
}
