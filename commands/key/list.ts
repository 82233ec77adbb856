import { listFlags } from '../../src/cli/list-output.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class KeyList extends operationCommand('key.list') {
  static override examples = ['<%= config.bin %> <%= command.id %>']
  static override flags = listFlags

  async run() {
    const { flags } = await this.parse(KeyList)
    await this.showList(flags, {
      read: () => this.call(flags, {}),
      empty: 'No signing keys yet. `coopshare serve` creates one at its first start.',
      columns: { KID: 'kid', STATE: 'state', CREATED: 'created_at', 'SIGNS FROM': 'signs_from' },
      wide: { RETIRED: 'retired_at' },
    })
  }
}
