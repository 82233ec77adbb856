import { required } from '../../src/cli/arguments.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class OperatorEnable extends operationCommand('operator.enable') {
  static override examples = ['<%= config.bin %> <%= command.id %> maria']
  static override args = { name: required('Operator name.') }

  async run() {
    const { args, flags } = await this.parse(OperatorEnable)
    const operator = await this.call(flags, { name: args.name })
    this.log(`Enabled ${operator.name}.`)
    return operator
  }
}
