import { required } from '../../src/cli/arguments.ts'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { renderFields } from '../../src/cli/table.ts'
import { globalFlags } from '../../src/config/serve-flags.ts'

export default class StoreRestore extends BaseCommand {
  static override summary = 'Make a store of a backup, in an empty data directory.'
  static override description =
    'All of the backup is checked first. With - as the file it is read from standard input, and needs twice its room in the data directory meanwhile. A backup that is damaged or was cut off leaves nothing behind.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> coopshare-2026-11-20.backup --data-dir /srv/coopshare',
    'age -d -i key.txt coopshare-2026-11-20.backup.age | <%= config.bin %> <%= command.id %> - --data-dir /srv/coopshare',
  ]
  static override baseFlags = globalFlags
  static override args = { file: required('Path of the backup; - is standard input.') }

  async run() {
    const { args, flags } = await this.parse(StoreRestore)
    const config = await this.readConfig(flags)
    const { restoreStore } = await import('../../src/cli/restore-store.ts')
    const { records, key } = await restoreStore(args.file, config)
    this.show(renderFields(records))
    this.log(`Restored into ${config.dataDirectory}.`)
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
  given: `The encryption key is not in the backup. The one that you gave fits: serve the store with it, too (${where}).`,
  needed: `The encryption key is not in the backup, because the store was given one. You need that key to serve the store: ${where}.`,
  other: `The encryption key is not in the backup, and the one that you gave is not the key of this store. You need the key that it was made with: ${where}.`,
}
