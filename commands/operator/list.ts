import { listFlags } from '../../src/cli/list-output.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class OperatorList extends operationCommand('operator.list') {
  static override summary = 'List operators with their roles.'
  static override examples = ['<%= config.bin %> <%= command.id %>']
  static override flags = listFlags

  async run() {
    const { flags } = await this.parse(OperatorList)
    await this.showList(flags, {
      read: () => this.call(flags, {}),
      empty:
        'No operators yet, only the local administrator. Create one: `coopshare operator create NAME --role operator`.',
      columns: {
        NAME: 'name',
        ROLE: 'role',
        STATE: 'state',
        'TOKEN SINCE': 'token_created_at',
      },
      wide: { ID: 'operator_id', CREATED: 'created_at' },
    })
  }
}
