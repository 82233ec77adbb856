import { BenchCommand } from '../../src/cli/service-command.ts'
import type { MaintenanceState } from '../../src/http/bench/outputs.ts'

export default class MaintenanceOff extends BenchCommand {
  static override summary = 'Answer requests of partners again (staging only).'
  static override examples = ['<%= config.bin %> <%= command.id %>']

  async run() {
    const { flags } = await this.parse(MaintenanceOff)
    const body = { on: false }
    const state = await this.ask<MaintenanceState>(flags, 'POST', 'maintenance', body)
    this.log('The maintenance is off.')
    return state
  }
}
