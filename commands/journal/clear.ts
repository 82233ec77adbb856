import { BenchCommand } from '../../src/cli/bench-command.ts'

export default class JournalClear extends BenchCommand {
  static override summary = 'Forget all recorded requests and deliveries (staging only).'
  static override examples = ['<%= config.bin %> <%= command.id %>']

  async run() {
    const { flags } = await this.parse(JournalClear)
    const send = await this.reach(flags)
    await send('DELETE', '/bench/journal')
    this.log('The journal is empty.')
    return { cleared: true }
  }
}
