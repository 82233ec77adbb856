import { Flags } from '@oclif/core'
import { BenchCommand } from '../../src/cli/service-command.ts'
import type { maintenance } from '../../src/wire/bench.ts'
import type { Rendered } from '../../src/wire/view.ts'

export default class MaintenanceOn extends BenchCommand<Rendered<typeof maintenance>> {
  static override summary = 'Answer all requests of partners with 503 (staging only).'
  static override examples = ['<%= config.bin %> <%= command.id %>']
  static override flags = {
    'retry-after': Flags.integer({
      min: 1,
      helpValue: 'SECONDS',
      description: 'Header Retry-After of the answers. Default: 30.',
    }),
  }

  override async output() {
    const { maintenance } = await import('../../src/wire/bench.ts')
    return maintenance
  }

  async run() {
    const { flags } = await this.parse(MaintenanceOn)
    const body = { on: true, retry_after: flags['retry-after'] }
    const state = await this.ask(flags, 'POST', 'maintenance', body)
    this.log('The maintenance is on.')
    return state
  }
}
