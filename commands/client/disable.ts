import { required } from '../../src/cli/arguments.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class ClientDisable extends operationCommand('client.disable') {
  static override examples = [
    '<%= config.bin %> <%= command.id %> 0b8f0b5c-6d0c-4b8e-9a55-0c3f5f5d2f11',
  ]
  static override args = { client: required('Client id.') }

  async run() {
    const { args, flags } = await this.parse(ClientDisable)
    const client = await this.call(flags, { client_id: args.client })
    this.log(`Disabled ${client.client_id}.`)
    return client
  }
}
