import { required } from '../../src/cli/arguments.ts'
import { benchCommand, clockTimeoutFlag } from '../../src/cli/service-command.ts'

export default class ClockAdvance extends benchCommand('bench.move_clock') {
  static override summary = 'Move the virtual clock forwards (staging only).'
  static override description =
    'The clock stops whenever something is due, such as a delivery retry, and continues when that work is done. The command ends when all due work is done.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 3d',
    '<%= config.bin %> <%= command.id %> 30s --timeout 2m',
  ]
  static override args = {
    time: required('Time to advance by, for example 500ms, 30s, 15m, 24h or 3d.'),
  }
  static override flags = { timeout: clockTimeoutFlag }

  async run() {
    const { args, flags } = await this.parse(ClockAdvance)
    const clock = await this.call(flags, { advance: args.time, timeout: flags.timeout })
    this.log(`The clock shows ${clock.now}.`)
    return clock
  }
}
