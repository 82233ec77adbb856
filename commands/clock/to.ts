import { required } from '../../src/cli/arguments.ts'
import { BenchCommand, clockTimeoutFlag } from '../../src/cli/service-command.ts'
import type { BenchClock } from '../../src/wire/bench.ts'

export default class ClockTo extends BenchCommand<BenchClock> {
  static override summary = 'Move the virtual clock to an instant (staging only).'
  static override description =
    'Works like `clock advance`. The clock never goes backwards; `bench reset` returns to the start.'
  static override examples = ['<%= config.bin %> <%= command.id %> 2026-12-24T18:00:00+01:00']
  static override args = {
    instant: required('Time with an offset, for example 2026-11-20T10:00:00Z.'),
  }
  static override flags = { timeout: clockTimeoutFlag }

  override async output() {
    const { benchClock } = await import('../../src/wire/bench.ts')
    return benchClock
  }

  async run() {
    const { args, flags } = await this.parse(ClockTo)
    const { timeout } = flags
    const body = { to: args.instant, timeout }
    const clock = await this.ask(flags, 'POST', 'clock', body)
    this.log(`The clock shows ${clock.now}.`)
    return clock
  }
}
