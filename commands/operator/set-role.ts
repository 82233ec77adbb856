import { required, roleFlag } from '../../src/cli/arguments.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class OperatorSetRole extends operationCommand('operator.set_role') {
  static override summary = "Change an operator's role. The new role takes effect immediately."
  static override examples = ['<%= config.bin %> <%= command.id %> maria --role administrator']
  static override args = { name: required('Operator name.') }
  static override flags = { role: roleFlag }

  async run() {
    const { args, flags } = await this.parse(OperatorSetRole)
    const { role, ...connection } = flags
    const operator = await this.call(connection, { name: args.name, role })
    this.log(`${operator.name} has the role ${operator.role}.`)
    return operator
  }
}
