import { BaseCommand } from '../../src/cli/base-command.ts'
import { globalFlags } from '../../src/config/serve-flags.ts'

export default class StoreMigrate extends BaseCommand {
  static override summary = 'Bring the schema of the database to the state of this version.'
  static override description =
    'Every start does the same, in one instance of all that start at once; this does it before, and without serving. A store in a directory needs none.'
  static override examples = [
    'COOPSHARE_DATABASE_URL=postgres://… <%= config.bin %> <%= command.id %>',
  ]
  static override baseFlags = globalFlags

  async run() {
    const { flags } = await this.parse(StoreMigrate)
    const config = await this.readConfig(flags)
    const { migrateStore } = await import('../../src/cli/migrate-store.ts')
    const applied = await migrateStore(config)
    for (const name of applied) this.log(`Applied ${name}.`)
    if (applied.length === 0) this.log('There was nothing to apply.')
    return { applied }
  }
}
