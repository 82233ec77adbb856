import { listFlags } from '../../src/cli/list-output.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class CooperativeList extends operationCommand('cooperative.list') {
  static override examples = ['<%= config.bin %> <%= command.id %>']
  static override flags = listFlags

  async run() {
    const { flags } = await this.parse(CooperativeList)
    await this.showList(flags, {
      read: () => this.call(flags, {}),
      empty: 'No cooperatives yet. Import a file: `coopshare cooperative import FILE`.',
      columns: {
        KEY: 'key',
        NAME: 'name',
        PUBLISHED: 'published',
        PRICE: ({ share_price, share_price_currency }) => `${share_price} ${share_price_currency}`,
        ID: 'id',
      },
      wide: { CITY: 'city', 'ENERGY CATEGORY': 'energy_category', UPDATED: 'updated_at' },
    })
  }
}
