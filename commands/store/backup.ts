import { required } from '../../src/cli/arguments.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'
import { invalid } from '../../src/config/invalid.ts'

export default class StoreBackup extends ServiceCommand {
  static override summary = 'Write a backup of the store to a new file. Requests go on.'
  static override description =
    `The file carries the encryption key when the store made it itself: keep it as secret as the store.

With - as the file, the backup goes to standard output, for a program that encrypts or moves it; messages go to standard error. Check that program's exit code and this one's (\`set -o pipefail\`): a backup that was cut off is refused by \`store restore\`.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> coopshare-2026-11-20.backup',
    '<%= config.bin %> <%= command.id %> - | age -r age1… > coopshare-2026-11-20.backup.age',
  ]
  static override args = { file: required('Path of the new file; - is standard output.') }

  async run() {
    const { args, flags } = await this.parse(StoreBackup)
    if (args.file === '-') return this.writeToOutput(flags)
    const service = await this.connect(flags)
    const { writeNewFile } = await import('../../src/cli/write-new-file.ts')
    const bytes = await writeNewFile(args.file, service.backup())
    this.log(`Wrote ${bytes} bytes to ${args.file}.`)
    return { file: args.file, bytes }
  }

  private async writeToOutput(flags: Parameters<typeof this.connect>[0]) {
    if (this.jsonEnabled()) {
      throw invalid('With - the backup takes standard output, so leave out --json or name a file.')
    }
    const { requirePipe, writeOutput } = await import('../../src/cli/write-output.ts')
    requirePipe()
    const service = await this.connect(flags)
    const bytes = await writeOutput(service.backup())
    this.tell(`Wrote ${bytes} bytes.`)
    return { file: '-', bytes }
  }
}
