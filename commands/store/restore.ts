import { required } from '../../src/cli/arguments.ts'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { renderFields } from '../../src/cli/table.ts'
import { globalFlags } from '../../src/config/serve-flags.ts'

export default class StoreRestore extends BaseCommand {
  static override summary = 'Make a store of a backup, in an empty data directory.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> coopshare-2026-11-20.backup --data-dir /srv/coopshare',
  ]
  static override baseFlags = globalFlags
  static override args = { file: required('Path of the backup.') }

  async run() {
    const { args, flags } = await this.parse(StoreRestore)
    const { dataDirectory } = await this.readConfig(flags)
    const { restoreStore } = await import('../../src/cli/restore-store.ts')
    const records = await restoreStore(args.file, dataDirectory)
    this.show(renderFields(records))
    this.log(`Restored into ${dataDirectory}.`)
    return { data_dir: dataDirectory, records }
  }
}
