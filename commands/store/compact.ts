import { operationCommand } from '../../src/cli/service-command.ts'

export default class StoreCompact extends operationCommand('store.compact') {
  static override summary =
    'Rewrite the store without old versions of records, while the service keeps running.'
  static override examples = ['<%= config.bin %> <%= command.id %>']

  async run() {
    const { flags } = await this.parse(StoreCompact)
    const sizes = await this.call(flags, {})
    this.log(`The store had ${sizes.bytes_before} bytes and now has ${sizes.bytes_after}.`)
    return sizes
  }
}
