import { required, roleFlag } from '../../src/cli/arguments.ts'
import { operationCommand } from '../../src/cli/service-command.ts'
import { renderFields } from '../../src/cli/table.ts'

export default class OperatorCreate extends operationCommand('operator.create') {
  static override summary = 'Create an operator with a token. The token is shown only once.'
  static override examples = ['<%= config.bin %> <%= command.id %> maria --role operator']
  static override args = { name: required('Name; must be unique, ignoring case.') }
  static override flags = { role: roleFlag }

  protected override readonly mayBeginStore = true

  async run() {
    const { args, flags } = await this.parse(OperatorCreate)
    const { role, ...connection } = flags
    const operator = await this.call(connection, { name: args.name, role })
    this.show(renderFields({ name: operator.name, role: operator.role, token: operator.token }))
    this.log(
      'Hand the token over now: it cannot be shown again. Commands take it from COOPSHARE_OPERATOR_TOKEN.',
    )
    return operator
  }
}
