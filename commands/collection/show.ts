import { required } from '../../src/cli/arguments.ts'
import { operationCommand } from '../../src/cli/service-command.ts'
import { renderFields, renderTable } from '../../src/cli/table.ts'

export default class CollectionShow extends operationCommand('collection.show') {
  static override examples = [
    '<%= config.bin %> <%= command.id %> 7c9e6679-7425-40de-944b-e07fc1f90ae7',
  ]
  static override args = { collection: required('Id of the collection.') }

  async run() {
    const { args, flags } = await this.parse(CollectionShow)
    const collection = await this.call(flags, { collection_id: args.collection })
    const { payments, announced, not_announced, ...fields } = collection
    this.show(renderFields({ ...fields, announced: announced.length }))
    this.show()
    this.show(
      renderTable(payments, {
        ID: 'share_purchase_id',
        REFERENCE: 'end_to_end_id',
        AMOUNT: 'amount',
        STATE: 'state',
      }),
    )
    if (not_announced.length > 0) {
      this.show('\nThe partner must tell the investors of these share purchases:')
      for (const id of not_announced) this.show(id)
    }
    return collection
  }
}
