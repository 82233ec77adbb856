import { BenchCommand } from '../../src/cli/service-command.ts'
import type { BenchClock } from '../../src/wire/bench.ts'

export default class ClockShow extends BenchCommand<BenchClock> {
  static override summary = 'Show the time of the virtual clock (staging only).'
  static override examples = ['<%= config.bin %> <%= command.id %>']

  override async output() {
    const { benchClock } = await import('../../src/wire/bench.ts')
    return benchClock
  }

  async run() {
    const { flags } = await this.parse(ClockShow)
    const clock = await this.ask(flags, 'GET', 'clock')
    this.show(clock.now)
    return clock
  }
}
