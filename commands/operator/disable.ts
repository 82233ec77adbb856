import { required } from '../../src/cli/arguments.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class OperatorDisable extends operationCommand('operator.disable') {
  static override examples = ['<%= config.bin %> <%= command.id %> maria']
  static override args = { name: required('Operator name.') }

  async run() {
    const { args, flags } = await this.parse(OperatorDisable)
    const operator = await this.call(flags, { name: args.name })
    this.log(`Disabled ${operator.name}.`)
    return operator
  }
}
