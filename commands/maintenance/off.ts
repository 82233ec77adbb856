import { BenchCommand } from '../../src/cli/service-command.ts'
import type { maintenance } from '../../src/wire/bench.ts'
import type { Rendered } from '../../src/wire/view.ts'

export default class MaintenanceOff extends BenchCommand<Rendered<typeof maintenance>> {
  static override summary = 'Answer requests of partners again (staging only).'
  static override examples = ['<%= config.bin %> <%= command.id %>']

  override async output() {
    const { maintenance } = await import('../../src/wire/bench.ts')
    return maintenance
  }

  async run() {
    const { flags } = await this.parse(MaintenanceOff)
    const body = { on: false }
    const state = await this.ask(flags, 'POST', 'maintenance', body)
    this.log('The maintenance is off.')
    return state
  }
}
