import { BenchCommand } from '../../src/cli/service-command.ts'
import type { Removed } from '../../src/http/bench/outputs.ts'

export default class JournalClear extends BenchCommand {
  static override summary = 'Remove all recorded requests and deliveries (staging only).'
  static override examples = ['<%= config.bin %> <%= command.id %>']

  async run() {
    const { flags } = await this.parse(JournalClear)
    const removed = await this.ask<Removed>(flags, 'DELETE', 'journal')
    this.log('The journal is empty.')
    return removed
  }
}
