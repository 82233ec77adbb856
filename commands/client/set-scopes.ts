import { Flags } from '@oclif/core'
import { repeatedScopes, required } from '../../src/cli/arguments.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class ClientSetScopes extends operationCommand('client.set_scopes') {
  static override examples = [
    '<%= config.bin %> <%= command.id %> 0b8f0b5c-6d0c-4b8e-9a55-0c3f5f5d2f11 --scope cooperatives:read --scope projects:read',
  ]
  static override args = { client: required('Client id.') }
  static override flags = { scope: Flags.option({ ...repeatedScopes, required: true })() }

  async run() {
    const { args, flags } = await this.parse(ClientSetScopes)
    const client = await this.call(flags, {
      client_id: args.client,
      scopes: flags.scope,
    })
    this.log(`${client.client_id} now has these scopes: ${client.granted_scopes.join(' ')}.`)
    return client
  }
}
