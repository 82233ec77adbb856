import { required } from '../../src/cli/arguments.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class ClientEnable extends operationCommand('client.enable') {
  static override examples = [
    '<%= config.bin %> <%= command.id %> 0b8f0b5c-6d0c-4b8e-9a55-0c3f5f5d2f11',
  ]
  static override args = { client: required('Client id.') }

  async run() {
    const { args, flags } = await this.parse(ClientEnable)
    const client = await this.call(flags, { client_id: args.client })
    this.log(`Enabled ${client.client_id}.`)
    return client
  }
}
