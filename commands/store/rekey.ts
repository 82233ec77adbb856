import { Flags } from '@oclif/core'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class StoreRekey extends operationCommand('store.rekey') {
  static override summary =
    'Replace the encryption keys of the store while the service keeps running.'
  static override description =
    'The command replaces the store key, each investor’s key and the search key. The service encrypts all encrypted values again; afterwards the previous keys cannot decrypt or confirm anything in the store. An interruption of the command or the service does not stop the change, and `store check` says whether it has finished. Until then the store opens with either key. Without a service, run the command again to finish. Earlier backups need the previous key.\n\nIf the store keeps its key in its data directory and you give no file, the command creates a new key there.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --new-encryption-key-file /etc/coopshare/new-key',
  ]
  static override flags = {
    'new-encryption-key-file': Flags.string({
      helpValue: 'FILE',
      description: 'File with the new key: 32 bytes, in hex or base64.',
    }),
  }

  async run() {
    const { flags } = await this.parse(StoreRekey)
    const { 'new-encryption-key-file': file, ...others } = flags
    const { readKeyFile } = await import('../../src/cli/offline-store.ts')
    const key = file === undefined ? undefined : await readKeyFile(file)
    const service = await this.connect(others)
    let rekeyed = await service.call('store.rekey', { new_encryption_key: key })
    while (!rekeyed.finished) {
      this.tell(
        'The service is still replacing the keys. It continues even if you end this command.',
      )
      rekeyed = await service.call('store.rekey', { is_begun: true })
    }
    this.log('All keys are replaced.')
    this.log(`Records that were encrypted again: ${rekeyed.renewed_records}.`)
    const { damaged_values: damaged } = rekeyed
    for (const value of damaged) this.log(value)
    if (damaged.length > 0) {
      this.log(
        `Values that neither key decrypts, because they were damaged before: ${damaged.length}. These values were not changed. docs/deploy/upgrade.md says what to do about each.`,
      )
    }
    this.log(
      rekeyed.key_in_store
        ? 'The new key is in the data directory. Make a new backup: older ones need the previous key.'
        : 'Start every instance with the new key from now on (--encryption-key-file or COOPSHARE_ENCRYPTION_KEY). Keep the previous key as long as you keep older backups.',
    )
    return rekeyed
  }
}
