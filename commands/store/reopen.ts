import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { globalFlags } from '../../src/config/serve-flags.ts'

export default class StoreReopen extends BaseCommand {
  static override summary = 'Let a store that was copied elsewhere take writes again.'
  static override description =
    `After \`store copy\`, the source can be read, but it is neither served nor changed: the copy is the store that lives. This command takes that mark away, for example when you go back after a failed move.

The store lacks what was written to the copy. Make sure that nobody serves the copy any more. To take back what was written there, copy it back instead: \`store copy\` replaces a store that was moved.`
  static override examples = ['<%= config.bin %> <%= command.id %> --yes --data-dir /srv/coopshare']
  static override baseFlags = globalFlags
  static override flags = {
    yes: Flags.boolean({ description: 'Do not ask.' }),
  }

  async run() {
    const { flags } = await this.parse(StoreReopen)
    const { yes = false, ...others } = flags
    const config = await this.readConfig(others)
    const { reopenStore } = await import('../../src/cli/reopen-store.ts')
    const { moved, reopened } = await reopenStore(config, yes)
    this.log(
      moved
        ? `The store takes writes again. It had been moved to ${moved.to} at ${moved.at}.`
        : 'The store has not moved; nothing was changed.',
    )
    return { reopened, moved }
  }
}
