import { BenchCommand } from '../../src/cli/service-command.ts'
import type { BenchClock } from '../../src/wire/bench.ts'

export default class BenchReset extends BenchCommand<BenchClock> {
  static override summary = 'Reset the service to its initial data and time (staging only).'
  static override description =
    'Removes everything that was created since the fixtures were applied, all faults and the journal. The clock returns to --now of `serve`.'
  static override examples = ['<%= config.bin %> <%= command.id %>']

  override async output() {
    const { benchClock } = await import('../../src/wire/bench.ts')
    return benchClock
  }

  async run() {
    const { flags } = await this.parse(BenchReset)
    const clock = await this.ask(flags, 'POST', 'reset')
    this.log(`Back at the start. The clock shows ${clock.now}.`)
    return clock
  }
}
