import { required } from '../../src/cli/arguments.ts'
import { BenchCommand, clockTimeoutFlag } from '../../src/cli/service-command.ts'
import type { BenchClock } from '../../src/wire/bench.ts'

export default class ClockAdvance extends BenchCommand<BenchClock> {
  static override summary = 'Move the virtual clock forwards (staging only).'
  static override description =
    'The clock stops whenever something is due, such as the retry of a delivery, and continues when that work is done. The command ends when all due work is done.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 3d',
    '<%= config.bin %> <%= command.id %> 30s --timeout 2m',
  ]
  static override args = {
    time: required('Time to advance by, for example 500ms, 30s, 15m, 24h or 3d.'),
  }
  static override flags = { timeout: clockTimeoutFlag }

  override async output() {
    const { benchClock } = await import('../../src/wire/bench.ts')
    return benchClock
  }

  async run() {
    const { args, flags } = await this.parse(ClockAdvance)
    const { timeout } = flags
    const body = { advance: args.time, timeout }
    const clock = await this.ask(flags, 'POST', 'clock', body)
    this.log(`The clock shows ${clock.now}.`)
    return clock
  }
}
