import { Flags } from '@oclif/core'
import { required } from '../../src/cli/arguments.ts'
import { BaseCommand, storeFlags } from '../../src/cli/base-command.ts'
import type { restoredStore } from '../../src/cli/offline-store.ts'
import { accessAdvice, renderStoreAccess } from '../../src/cli/store-access.ts'
import { renderFields } from '../../src/cli/table.ts'
import type { Rendered } from '../../src/wire/view.ts'

export default class StoreRestore extends BaseCommand<Rendered<typeof restoredStore>> {
  static override summary = 'Restore a backup to an empty data directory.'
  static override description =
    'The command creates the store only after it has written and checked the whole backup. A damaged or incomplete backup leaves nothing behind.\n\nThe restored store has the state of the backup. Signing keys that were revoked after the backup, clients and operators that were disabled, and secrets that were replaced work again. So the command lists the signing keys, enabled clients and operators of the backup, each with the time of its last change, and records the restore in the audit of the restored store.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> coopshare-2026-11-20.backup --data-dir /srv/coopshare',
    'age -d -i key.txt coopshare-2026-11-20.backup.age | <%= config.bin %> <%= command.id %> - --data-dir /srv/coopshare',
  ]
  static override baseFlags = storeFlags
  static override args = { file: required('Path of the backup; - reads standard input.') }
  static override flags = {
    'retire-keys': Flags.boolean({
      description: 'Revoke all signing keys in the backup, and create a new one.',
    }),
  }

  override async output() {
    const { restoredStore } = await import('../../src/cli/offline-store.ts')
    return restoredStore
  }

  async run() {
    const { args, flags } = await this.parse(StoreRestore)
    const { 'retire-keys': retiresKeys = false, ...others } = flags
    const config = await this.readConfig(others)
    const { restoreStore } = await import('../../src/cli/offline-store.ts')
    const { records, key, access } = await restoreStore(args.file, config, { retiresKeys })
    this.show(renderFields(records))
    this.show(renderStoreAccess(access))
    this.log(accessAdvice('the backup'))
    this.log(
      retiresKeys
        ? 'All signing keys of the backup are revoked, and a new one signs: partners request new tokens.'
        : '`key revoke` refuses the tokens of a signing key; `store restore --retire-keys` would have replaced all of them.',
    )
    this.log(`Restored to ${config.dataDirectory}.`)
    if (key !== 'restored') this.log(keyAdvice[key])
    return {
      data_dir: config.dataDirectory,
      records,
      needs_encryption_key: key !== 'restored',
      retired_keys: retiresKeys,
      access,
    }
  }
}

const where = '--encryption-key-file or COOPSHARE_ENCRYPTION_KEY'

const keyAdvice = {
  given: `The backup does not contain the encryption key. The key that you gave is the right one: also serve the store with it (${where}).`,
  needed: `The backup does not contain the encryption key, because you gave the store your own key. You need that key to serve the store (${where}).`,
  other: `The backup does not contain the encryption key, and the key that you gave is the wrong one. You need the key of this store to serve it (${where}).`,
}
