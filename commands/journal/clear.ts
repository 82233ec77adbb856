import { BenchCommand } from '../../src/cli/service-command.ts'
import type { Removed } from '../../src/http/bench/outputs.ts'

export default class JournalClear extends BenchCommand {
  static override summary = 'Remove all recorded requests and deliveries (staging only).'
  static override examples = ['<%= config.bin %> <%= command.id %>']

  async run() {
    const { flags } = await this.parse(JournalClear)
    const send = await this.reach(flags)
    const removed = (await send('DELETE', '/bench/journal')) as Removed
    this.log('The journal is empty.')
    return removed
  }
}
