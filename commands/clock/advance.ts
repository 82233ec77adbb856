import { required } from '../../src/cli/arguments.ts'
import { BenchCommand, clockTimeoutFlag } from '../../src/cli/service-command.ts'
import type { ClockState } from '../../src/http/bench/outputs.ts'

export default class ClockAdvance extends BenchCommand {
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

  async run() {
    const { args, flags } = await this.parse(ClockAdvance)
    const { timeout } = flags
    const body = { advance: args.time, timeout }
    const clock = await this.ask<ClockState>(flags, 'POST', 'clock', body)
    this.log(`The clock shows ${clock.now}.`)
    return clock
  }
}
