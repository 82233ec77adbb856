import { Args } from '@oclif/core'
import { benchCommand } from '../../src/cli/service-command.ts'

export default class FaultClear extends benchCommand('bench.clear_faults') {
  static override summary = 'Remove one fault or all of them (staging only).'
  static override examples = ['<%= config.bin %> <%= command.id %>']
  static override args = {
    fault: Args.string({ ignoreStdin: true, description: 'Id of a fault. Default: all faults.' }),
  }

  async run() {
    const { args, flags } = await this.parse(FaultClear)
    const { fault } = args
    const removed =
      fault === undefined
        ? await this.call(flags, {})
        : await this.callOther('bench.remove_fault', flags, { id: fault })
    this.log(`Removed ${removed.removed} ${removed.removed === 1 ? 'fault' : 'faults'}.`)
    return removed
  }
}
