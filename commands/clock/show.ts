import { benchCommand } from '../../src/cli/service-command.ts'

export default class ClockShow extends benchCommand('bench.show_clock') {
  static override summary = 'Show the time on the virtual clock (staging only).'
  static override examples = ['<%= config.bin %> <%= command.id %>']

  async run() {
    const { flags } = await this.parse(ClockShow)
    const clock = await this.call(flags, {})
    this.show(clock.now)
    return clock
  }
}
