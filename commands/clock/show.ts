import { BenchCommand } from '../../src/cli/service-command.ts'
import type { ClockState } from '../../src/http/bench/outputs.ts'

export default class ClockShow extends BenchCommand {
  static override summary = 'Show the time of the virtual clock (staging only).'
  static override examples = ['<%= config.bin %> <%= command.id %>']

  async run() {
    const { flags } = await this.parse(ClockShow)
    const clock = await this.ask<ClockState>(flags, 'GET', 'clock')
    this.show(clock.now)
    return clock
  }
}
