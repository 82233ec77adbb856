import { limitFlag } from '../../src/cli/arguments.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'
import { renderTable } from '../../src/cli/table.ts'

export default class KeyList extends ServiceCommand {
  static override summary = 'List the signing keys of access tokens, oldest first.'
  static override examples = ['<%= config.bin %> <%= command.id %>']
  static override flags = { limit: limitFlag() }

  async run() {
    const { flags } = await this.parse(KeyList)
    const service = await this.connect(flags)
    const keys = (await service.call('key.list', {})).slice(0, flags.limit)
    this.show(
      renderTable(keys, {
        KID: (key) => key.kid,
        STATE: (key) => key.state,
        CREATED: (key) => key.created_at,
        'SIGNS FROM': (key) => key.signs_from,
      }),
    )
    return keys
  }
}
