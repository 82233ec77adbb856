import { Flags } from '@oclif/core'
import { repeatedScopes, requiredOrganizationFlag } from '../../src/cli/arguments.ts'
import { noteClientSecret } from '../../src/cli/lost-output.ts'
import { operationCommand } from '../../src/cli/service-command.ts'
import { renderFields } from '../../src/cli/table.ts'

export default class ClientCreate extends operationCommand('client.create') {
  static override summary = 'Create a client for an organization. The secret is shown only once.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --organization "Demo Bank"',
    '<%= config.bin %> <%= command.id %> --organization "Demo Bank" --scope cooperatives:read --scope projects:read',
  ]
  static override flags = {
    organization: requiredOrganizationFlag,
    name: Flags.string({ description: 'Name to tell clients apart.' }),
    scope: Flags.option({
      ...repeatedScopes,
      description: 'Scope that the client gets; repeatable. Default: all scopes.',
    })(),
    kind: Flags.option({
      options: ['partner', 'internal'] as const,
      default: 'partner',
      description: 'Kind of client; internal ones get tokens but cannot use the partner API.',
    })(),
  }

  async run() {
    const { flags } = await this.parse(ClientCreate)
    const { organization, name, scope, kind } = flags
    const client = await this.call(flags, { organization, name, scopes: scope, kind })
    noteClientSecret(client)
    this.show(renderFields({ ...client, granted_scopes: client.granted_scopes.join(' ') }))
    this.log('Store the secret now: it cannot be shown again.')
    return client
  }
}
