import { Args } from '@oclif/core'
import { BenchCommand } from '../../src/cli/service-command.ts'
import type { removed } from '../../src/wire/bench.ts'
import type { Rendered } from '../../src/wire/view.ts'

export default class FaultClear extends BenchCommand<Rendered<typeof removed>> {
  static override summary = 'Remove one fault or all of them (staging only).'
  static override examples = ['<%= config.bin %> <%= command.id %>']
  static override args = {
    fault: Args.string({ ignoreStdin: true, description: 'Id of a fault. Default: all faults.' }),
  }

  override async output() {
    const { removed } = await import('../../src/wire/bench.ts')
    return removed
  }

  async run() {
    const { args, flags } = await this.parse(FaultClear)
    const one = args.fault === undefined ? '' : `/${encodeURIComponent(args.fault)}`
    const removed = await this.ask(flags, 'DELETE', `faults${one}`)
    this.log(`Removed ${removed.removed} ${removed.removed === 1 ? 'fault' : 'faults'}.`)
    return removed
  }
}
