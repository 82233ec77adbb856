import { required } from '../../src/cli/arguments.ts'
import { operationCommand } from '../../src/cli/service-command.ts'
import { renderFields } from '../../src/cli/table.ts'

export default class OperatorRotateToken extends operationCommand('operator.rotate_token') {
  static override summary = 'Replace an operator token. The new token is shown only once.'
  static override examples = ['<%= config.bin %> <%= command.id %> maria']
  static override args = { name: required('Operator name.') }

  async run() {
    const { args, flags } = await this.parse(OperatorRotateToken)
    const operator = await this.call(flags, { name: args.name })
    this.show(renderFields({ name: operator.name, role: operator.role, token: operator.token }))
    this.log(
      'Hand the token over now: it cannot be shown again. The previous token is refused from now on.',
    )
    return operator
  }
}
