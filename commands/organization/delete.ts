import { Flags } from '@oclif/core'
import { required, yesFlag } from '../../src/cli/arguments.ts'
import { requireYes } from '../../src/cli/confirm.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

interface Deleted {
  readonly name: string
  readonly clients: readonly unknown[]
  readonly webhooks: readonly unknown[]
}

export default class OrganizationDelete extends operationCommand('organization.delete') {
  static override description =
    'You cannot delete an organization with investors, because their orders and holdings must stay. Disable it instead. The command asks before it deletes anything.'
  static override examples = ['<%= config.bin %> <%= command.id %> "Demo Bank"']
  static override args = { organization: required('Organization id or exact name.') }
  static override flags = {
    'dry-run': Flags.boolean({ description: 'Only show what would be deleted.' }),
    yes: yesFlag,
  }

  async run() {
    const { args, flags } = await this.parse(OrganizationDelete)
    const { 'dry-run': dryRun = false, yes = false } = flags
    const { organization } = args
    const service = await this.connect(flags)
    if (dryRun || !yes) {
      const found = await service.call('organization.delete', { organization, dry_run: true })
      if (dryRun) {
        this.log(`Would delete ${describe(found)}.`)
        return found
      }
      await requireYes({
        question: `Delete ${describe(found)}?`,
        instead: `This deletes ${describe(found)}. Run the command again with --yes. Nothing was changed.`,
      })
    }
    const deleted = await service.call('organization.delete', { organization })
    this.log(`Deleted ${describe(deleted)}.`)
    return deleted
  }
}

function describe({ name, clients, webhooks }: Deleted): string {
  const ofClients = `${clients.length} ${clients.length === 1 ? 'client' : 'clients'}`
  const ofWebhooks = `${webhooks.length} ${webhooks.length === 1 ? 'webhook endpoint' : 'webhook endpoints'}`
  return `${name} with ${ofClients} and ${ofWebhooks}`
}
