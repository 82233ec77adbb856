import { Flags } from '@oclif/core'
import { required } from '../../src/cli/arguments.ts'
import { BaseCommand, storeFlags } from '../../src/cli/base-command.ts'
import { exitCodes } from '../../src/cli/error-codes.ts'
import type { verifiedBackup } from '../../src/cli/offline-store.ts'
import { renderFields } from '../../src/cli/table.ts'
import { parseDirectory } from '../../src/config/common-flags.ts'
import type { Rendered } from '../../src/wire/view.ts'

export default class StoreVerifyBackup extends BaseCommand<Rendered<typeof verifiedBackup>> {
  static override summary = 'Restore a backup to a temporary directory and check everything in it.'
  static override description =
    'This is a drill: it touches no store and leaves nothing behind. The command checks checksums and references. It also decrypts every encrypted value if the backup contains the key or you give the key. It needs as much disk space as the backup.\n\nExit code 5: the file is not a whole backup. Exit code 1: the store in the backup is damaged.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> coopshare-20261120T060000Z.backup',
    '<%= config.bin %> <%= command.id %> coopshare-20261120T060000Z.backup --encryption-key-file /etc/coopshare/key --work-dir /srv/tmp',
  ]
  static override baseFlags = storeFlags
  static override args = { file: required('Path of the backup.') }
  static override flags = {
    'work-dir': Flags.string({
      helpValue: 'DIR',
      parse: async (text) => parseDirectory('work-dir', text),
      description: 'Where to restore. Default: the directory for temporary files.',
    }),
  }

  override async output() {
    const { verifiedBackup } = await import('../../src/cli/offline-store.ts')
    return verifiedBackup
  }

  async run() {
    const { args, flags } = await this.parse(StoreVerifyBackup)
    const { 'work-dir': workDirectory, ...others } = flags
    const config = await this.readConfig(others)
    const { verifyBackup } = await import('../../src/cli/offline-store.ts')
    const verified = await verifyBackup(args.file, config, workDirectory)
    this.show(renderFields(verified.records))
    for (const problem of verified.problems) this.log(problem)
    this.log(
      verified.sealed_values === null
        ? 'Encrypted values were not opened: the backup does not contain the key, and none was given (--encryption-key-file or COOPSHARE_ENCRYPTION_KEY).'
        : `Encrypted values that were opened: ${verified.sealed_values}.`,
    )
    this.log(verified.sound ? 'The backup is sound.' : 'The store in the backup is damaged.')
    if (!verified.sound) process.exitCode = exitCodes.failed
    return verified
  }
}
