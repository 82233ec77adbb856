import { ServiceCommand } from '../../src/cli/service-command.ts'

export default class StoreCompact extends ServiceCommand {
  static override summary = 'Write the store anew, without what was replaced since. Requests go on.'
  static override examples = ['<%= config.bin %> <%= command.id %>']

  async run() {
    const { flags } = await this.parse(StoreCompact)
    const service = await this.connect(flags)
    const sizes = await service.call('store.compact', {})
    this.log(`${sizes.bytes_before} bytes before, ${sizes.bytes_after} after.`)
    return sizes
  }
}
