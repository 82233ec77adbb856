import { required, yesFlag } from '../../src/cli/arguments.ts'
import { requireYes } from '../../src/cli/confirm.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class CollectionCancel extends operationCommand('collection.cancel') {
  static override description =
    'The payments are due again. Once the file is exported, cancel the collection only if the bank has not taken the file.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 7c9e6679-7425-40de-944b-e07fc1f90ae7',
  ]
  static override args = { collection: required('Id of the collection.') }
  static override flags = { yes: yesFlag }

  async run() {
    const { args, flags } = await this.parse(CollectionCancel)
    const service = await this.connect(flags)
    const collection_id = args.collection
    const { state } = await service.call('collection.show', { collection_id })
    const isExported = state === 'exported'
    if (isExported && !flags.yes) {
      await requireYes({
        question:
          'This collection was exported. Cancel it only if the bank has not taken the file. Cancel it?',
        instead:
          'This collection was exported. Nothing was changed. If the bank has not taken the file, run the command again with --yes.',
      })
    }
    const collection = await service.call('collection.cancel', {
      collection_id,
      ...(isExported && { not_taken: true }),
    })
    this.log(`Cancelled ${collection.collection_id}. Its payments are due again.`)
    return collection
  }
}
