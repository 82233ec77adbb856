import { benchCommand } from '../../src/cli/service-command.ts'

export default class MaintenanceOff extends benchCommand('bench.set_maintenance') {
  static override summary = 'Answer partner requests again (staging only).'
  static override examples = ['<%= config.bin %> <%= command.id %>']

  async run() {
    const { flags } = await this.parse(MaintenanceOff)
    const state = await this.call(flags, { on: false })
    this.log('Maintenance is off.')
    return state
  }
}
