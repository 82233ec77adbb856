import { required } from '../../src/cli/arguments.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'
import { invalid } from '../../src/config/common-flags.ts'
import { count, plain, type Rendered, text } from '../../src/wire/view.ts'

const backup = plain('Backup', {
  file: text('Path of the backup.'),
  bytes: count('Size in bytes.'),
})

export default class StoreBackup extends ServiceCommand<Rendered<typeof backup>> {
  static override summary =
    'Write a backup of the store to a new file, while the service keeps running.'
  static override description =
    `If the store created its encryption key, the backup contains that key: protect the file as you protect the store.

With - as the file, the backup goes to standard output and messages go to standard error. Check the exit codes of both programs (\`set -o pipefail\`). \`store restore\` refuses an incomplete backup.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> coopshare-2026-11-20.backup',
    '<%= config.bin %> <%= command.id %> - | age -r age1… > coopshare-2026-11-20.backup.age',
  ]
  static override args = { file: required('Path of the new file; - writes to standard output.') }

  override async output() {
    return backup
  }

  async run() {
    const { args, flags } = await this.parse(StoreBackup)
    if (args.file === '-') return this.writeToOutput(flags)
    const service = await this.connect(flags)
    const { writeNewFile } = await import('../../src/cli/backup-output.ts')
    const bytes = await writeNewFile(args.file, service.backup())
    this.log(`Wrote ${bytes} bytes to ${args.file}.`)
    return { file: args.file, bytes }
  }

  private async writeToOutput(flags: Parameters<typeof this.connect>[0]) {
    if (this.jsonEnabled()) {
      throw invalid('With - the backup goes to standard output. Leave out --json, or give a file.')
    }
    const { requirePipe, writeOutput } = await import('../../src/cli/backup-output.ts')
    requirePipe()
    const service = await this.connect(flags)
    const bytes = await writeOutput(service.backup())
    this.tell(`Wrote ${bytes} bytes.`)
    return { file: '-', bytes }
  }
}
