import { BaseCommand, storeFlags } from '../../src/cli/base-command.ts'
import type { migrations } from '../../src/cli/offline-store.ts'
import type { Rendered } from '../../src/wire/view.ts'

export default class StoreMigrate extends BaseCommand<Rendered<typeof migrations>> {
  static override summary = 'Migrate the database schema to this version.'
  static override description =
    'The service also migrates the schema at every start. Use this command to migrate the schema earlier. A store in a directory needs no migration.'
  static override examples = [
    'COOPSHARE_DATABASE_URL=postgres://… <%= config.bin %> <%= command.id %>',
  ]
  static override baseFlags = storeFlags

  override async output() {
    const { migrations } = await import('../../src/cli/offline-store.ts')
    return migrations
  }

  async run() {
    const { flags } = await this.parse(StoreMigrate)
    const config = await this.readConfig(flags)
    const { migrateStore } = await import('../../src/cli/offline-store.ts')
    const migrated = await migrateStore(config)
    for (const name of migrated.applied) this.log(`Applied ${name}.`)
    if (migrated.applied.length === 0) this.log('The schema is up to date.')
    return migrated
  }
}
