import { Flags } from '@oclif/core'
import { repeatedScopes, requiredOrganizationFlag } from '../../src/cli/arguments.ts'
import { noteClientSecret } from '../../src/cli/lost-secrets.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'
import { renderFields } from '../../src/cli/table.ts'

export default class ClientCreate extends ServiceCommand {
  static override summary = 'Mint credentials for an organisation. The secret is shown once.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --organization "Demo Bank"',
    '<%= config.bin %> <%= command.id %> --organization "Demo Bank" --scope cooperatives:read --scope projects:read',
  ]
  static override flags = {
    organization: requiredOrganizationFlag(),
    name: Flags.string({ description: 'To tell its clients apart.' }),
    scope: Flags.option({ ...repeatedScopes, description: 'May be repeated; default: all.' })(),
    kind: Flags.option({
      options: ['partner', 'internal'] as const,
      default: 'partner',
      description: 'An internal client gets tokens, but may not use the partner API.',
    })(),
  }

  async run() {
    const { flags } = await this.parse(ClientCreate)
    const { organization, name, scope, kind } = flags
    const service = await this.connect(flags)
    const client = await service.call('client.create', { organization, name, scopes: scope, kind })
    noteClientSecret(client)
    this.show(renderFields({ ...client, granted_scopes: client.granted_scopes.join(' ') }))
    this.log('Keep the secret: it cannot be shown again.')
    return client
  }
}
