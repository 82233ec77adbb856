import { ServiceCommand } from '../../src/cli/service-command.ts'
import { renderTable } from '../../src/cli/table.ts'

export default class OperatorList extends ServiceCommand {
  static override summary = 'List operators with their roles.'
  static override examples = ['<%= config.bin %> <%= command.id %>']

  async run() {
    const { flags } = await this.parse(OperatorList)
    const service = await this.connect(flags)
    const operators = await service.call('operator.list', {})
    this.show(
      renderTable(operators, {
        NAME: (operator) => operator.name,
        ROLE: (operator) => operator.role,
        STATE: (operator) => operator.state,
        'TOKEN SINCE': (operator) => operator.token_created_at,
      }),
    )
    return operators
  }
}
