import { Flags } from '@oclif/core'
import { benchCommand } from '../../src/cli/service-command.ts'

export default class MaintenanceOn extends benchCommand('bench.set_maintenance') {
  static override summary = 'Answer all partner requests with 503 (staging only).'
  static override examples = ['<%= config.bin %> <%= command.id %>']
  static override flags = {
    'retry-after': Flags.integer({
      min: 1,
      helpValue: 'SECONDS',
      description: 'Retry-After header of the answers. Default: 30.',
    }),
  }

  async run() {
    const { flags } = await this.parse(MaintenanceOn)
    const state = await this.call(flags, { on: true, retry_after: flags['retry-after'] })
    this.log('Maintenance is on.')
    return state
  }
}
