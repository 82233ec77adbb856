import { benchCommand } from '../../src/cli/service-command.ts'

export default class BenchReset extends benchCommand('bench.reset') {
  static override summary = 'Reset the service to its initial data and time (staging only).'
  static override description =
    'Removes everything that was created since the fixtures were applied, all faults and the journal. The clock returns to the start time.'
  static override examples = ['<%= config.bin %> <%= command.id %>']

  async run() {
    const { flags } = await this.parse(BenchReset)
    const clock = await this.call(flags, {})
    this.log(`Back at the start. The clock shows ${clock.now}.`)
    return clock
  }
}
