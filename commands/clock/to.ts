import { required } from '../../src/cli/arguments.ts'
import { benchCommand, clockTimeoutFlag } from '../../src/cli/service-command.ts'

export default class ClockTo extends benchCommand('bench.move_clock') {
  static override summary = 'Move the virtual clock to an instant (staging only).'
  static override description =
    'Works like `clock advance`. The clock never goes backwards; `bench reset` returns to the start.'
  static override examples = ['<%= config.bin %> <%= command.id %> 2026-12-24T18:00:00+01:00']
  static override args = {
    instant: required('Time with an offset, for example 2026-11-20T10:00:00Z.'),
  }
  static override flags = { timeout: clockTimeoutFlag }

  async run() {
    const { args, flags } = await this.parse(ClockTo)
    const clock = await this.call(flags, { to: args.instant, timeout: flags.timeout })
    this.log(`The clock shows ${clock.now}.`)
    return clock
  }
}
