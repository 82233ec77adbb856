import { BenchCommand } from '../../src/cli/service-command.ts'
import type { MaintenanceState } from '../../src/http/bench/outputs.ts'

export default class MaintenanceOff extends BenchCommand {
  static override summary = 'Answer requests of partners again (staging only).'
  static override examples = ['<%= config.bin %> <%= command.id %>']

  async run() {
    const { flags } = await this.parse(MaintenanceOff)
    const send = await this.reach(flags)
    const body = { on: false }
    const state = (await send('POST', '/bench/maintenance', body)) as MaintenanceState
    this.log('The maintenance is off.')
    return state
  }
}
