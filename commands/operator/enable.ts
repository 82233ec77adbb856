import { required } from '../../src/cli/arguments.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'

export default class OperatorEnable extends ServiceCommand {
  static override summary = 'Enable a disabled operator: the token is accepted again.'
  static override examples = ['<%= config.bin %> <%= command.id %> maria']
  static override args = { name: required('Name of the operator.') }

  async run() {
    const { args, flags } = await this.parse(OperatorEnable)
    const service = await this.connect(flags)
    const operator = await service.call('operator.enable', { name: args.name })
    this.log(`Enabled ${operator.name}.`)
    return operator
  }
}
