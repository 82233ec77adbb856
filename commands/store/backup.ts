import { required } from '../../src/cli/arguments.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'

export default class StoreBackup extends ServiceCommand {
  static override summary = 'Write a backup of the store to a new file. Requests go on.'
  static override description =
    'The file carries the encryption key when the store made it itself: keep it as secret as the store.'
  static override examples = ['<%= config.bin %> <%= command.id %> coopshare-2026-11-20.backup']
  static override args = { file: required('Path of the new file.') }

  async run() {
    const { args, flags } = await this.parse(StoreBackup)
    const service = await this.connect(flags)
    const { writeNewFile } = await import('../../src/cli/write-new-file.ts')
    const bytes = await writeNewFile(args.file, service.backup())
    this.log(`Wrote ${bytes} bytes to ${args.file}.`)
    return { file: args.file, bytes }
  }
}
