import { limitFlag } from '../../src/cli/arguments.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'
import { renderTable } from '../../src/cli/table.ts'

export default class CooperativeList extends ServiceCommand {
  static override summary = 'List all cooperatives, including unpublished ones.'
  static override examples = ['<%= config.bin %> <%= command.id %>']
  static override flags = { limit: limitFlag() }

  async run() {
    const { flags } = await this.parse(CooperativeList)
    const service = await this.connect(flags)
    const cooperatives = (await service.call('cooperative.list', {})).slice(0, flags.limit)
    this.show(
      renderTable(cooperatives, {
        KEY: (cooperative) => cooperative.key,
        NAME: (cooperative) => cooperative.name,
        PUBLISHED: (cooperative) => cooperative.published,
        PRICE: (cooperative) => `${cooperative.share_price} ${cooperative.share_price_currency}`,
        ID: (cooperative) => cooperative.id,
      }),
    )
    return cooperatives
  }
}
