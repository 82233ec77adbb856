import { BenchCommand } from '../../src/cli/service-command.ts'
import type { removed } from '../../src/wire/bench.ts'
import type { Rendered } from '../../src/wire/view.ts'

export default class JournalClear extends BenchCommand<Rendered<typeof removed>> {
  static override summary = 'Remove all recorded requests and deliveries (staging only).'
  static override examples = ['<%= config.bin %> <%= command.id %>']

  override async output() {
    const { removed } = await import('../../src/wire/bench.ts')
    return removed
  }

  async run() {
    const { flags } = await this.parse(JournalClear)
    const removed = await this.ask(flags, 'DELETE', 'journal')
    this.log('The journal is empty.')
    return removed
  }
}
