import { required } from '../../src/cli/arguments.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class CollectionConfirm extends operationCommand('collection.confirm') {
  static override description =
    'With `serve --four-eyes collect`, the file can be exported only after this.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 7c9e6679-7425-40de-944b-e07fc1f90ae7',
  ]
  static override args = { collection: required('Id of the collection.') }

  async run() {
    const { args, flags } = await this.parse(CollectionConfirm)
    const collection = await this.call(flags, { collection_id: args.collection })
    this.log(
      `Confirmed ${collection.collection_id}: ${collection.count} payments, ${collection.total} ${collection.total_currency}.`,
    )
    return collection
  }
}
