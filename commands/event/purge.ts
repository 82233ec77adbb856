import { Flags } from '@oclif/core'
import { organizationFlag, yesInProductionFlag } from '../../src/cli/arguments.ts'
import { requireYes } from '../../src/cli/confirm.ts'
import { requiredTimeFlag } from '../../src/cli/event-flags.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class EventPurge extends operationCommand('event.purge') {
  static override description =
    `Removes events that have reached all their receivers. With --dead, the command also removes dead events. Events that are still being delivered stay. You can no longer show or replay a removed event; its order does not change.

The service removes delivered events automatically: see \`serve --event-retention\`. Dead events stay until you replay or purge them.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> --before 30d --dry-run',
    '<%= config.bin %> <%= command.id %> --before 7d --dead --organization "Demo Bank" --yes',
  ]
  static override flags = {
    before: requiredTimeFlag('Remove events created before this time'),
    organization: organizationFlag(),
    dead: Flags.boolean({ description: 'Also remove dead events.' }),
    'dry-run': Flags.boolean({ description: 'Only count the events; remove nothing.' }),
    yes: yesInProductionFlag,
  }

  async run() {
    const { flags } = await this.parse(EventPurge)
    const { before, organization, dead, 'dry-run': dryRun = false, yes = false } = flags
    const which = { before, organization, dead }
    const service = await this.connect(flags)
    if (flags.environment === 'production' && !dryRun && !yes) {
      const found = await service.call('event.purge', { ...which, dry_run: true })
      await requireConsent(describe(found))
    }
    const purged = await service.call('event.purge', { ...which, dry_run: dryRun })
    this.log(`${dryRun ? 'Would remove' : 'Removed'} ${describe(purged)}.`)
    return purged
  }
}

interface Purged {
  readonly events: number
  readonly deliveries: number
}

function describe({ events, deliveries }: Purged): string {
  const ofEvents = `${events} ${events === 1 ? 'event' : 'events'}`
  return `${ofEvents} with ${deliveries} ${deliveries === 1 ? 'delivery' : 'deliveries'}`
}

async function requireConsent(what: string): Promise<void> {
  await requireYes({
    question: `Remove ${what} in production?`,
    instead: `This removes ${what} in production. Run the command again with --yes. Nothing was changed.`,
  })
}
