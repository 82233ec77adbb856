import { benchCommand } from '../../src/cli/service-command.ts'

export default class JournalClear extends benchCommand('bench.clear_journal') {
  static override summary = 'Remove all recorded requests and deliveries (staging only).'
  static override examples = ['<%= config.bin %> <%= command.id %>']

  async run() {
    const { flags } = await this.parse(JournalClear)
    const removed = await this.call(flags, {})
    this.log('The journal is empty.')
    return removed
  }
}
