import { required } from '../../src/cli/arguments.ts'
import { BaseCommand, storeFlags } from '../../src/cli/base-command.ts'
import { renderFields } from '../../src/cli/table.ts'

export default class StoreRestore extends BaseCommand {
  static override summary = 'Restore a backup to an empty data directory.'
  static override description =
    'The command creates the store only after it has written and checked the whole backup. A damaged or incomplete backup leaves nothing behind.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> coopshare-2026-11-20.backup --data-dir /srv/coopshare',
    'age -d -i key.txt coopshare-2026-11-20.backup.age | <%= config.bin %> <%= command.id %> - --data-dir /srv/coopshare',
  ]
  static override baseFlags = storeFlags
  static override args = { file: required('Path of the backup; - reads standard input.') }

  async run() {
    const { args, flags } = await this.parse(StoreRestore)
    const config = await this.readConfig(flags)
    const { restoreStore } = await import('../../src/cli/offline-store.ts')
    const { records, key } = await restoreStore(args.file, config)
    this.show(renderFields(records))
    this.log(`Restored to ${config.dataDirectory}.`)
    if (key !== 'restored') this.log(keyAdvice[key])
    return {
      data_dir: config.dataDirectory,
      records,
      needs_encryption_key: key !== 'restored',
    }
  }
}

const where = '--encryption-key-file or COOPSHARE_ENCRYPTION_KEY'

const keyAdvice = {
  given: `The backup does not contain the encryption key. The key that you gave is the right one: also serve the store with it (${where}).`,
  needed: `The backup does not contain the encryption key, because you gave the store your own key. You need that key to serve the store (${where}).`,
  other: `The backup does not contain the encryption key, and the key that you gave is the wrong one. You need the key of this store to serve it (${where}).`,
}
