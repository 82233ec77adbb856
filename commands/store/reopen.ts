import { yesFlag } from '../../src/cli/arguments.ts'
import { BaseCommand, storeFlags } from '../../src/cli/base-command.ts'
import type { reopenedStore } from '../../src/cli/offline-store.ts'
import { accessAdvice, renderStoreAccess } from '../../src/cli/store-access.ts'
import type { Rendered } from '../../src/wire/view.ts'

export default class StoreReopen extends BaseCommand<Rendered<typeof reopenedStore>> {
  static override summary = 'Allow changes to a store again after it was copied elsewhere.'
  static override description =
    `After \`store copy\`, the source is marked as moved: it can be read but not served or changed. This command removes the mark, for example after a failed move.

The reopened store lacks everything that was written to the copy. Make sure that no service runs on the copy any more. If you need records that were written to the copy, use \`store copy\` in the other direction instead. What was revoked or disabled in the copy works again, so the command lists the signing keys, enabled clients and operators, and records the change in the audit.`
  static override examples = ['<%= config.bin %> <%= command.id %> --yes --data-dir /srv/coopshare']
  static override baseFlags = storeFlags
  static override flags = {
    yes: yesFlag,
  }

  override async output() {
    const { reopenedStore } = await import('../../src/cli/offline-store.ts')
    return reopenedStore
  }

  async run() {
    const { flags } = await this.parse(StoreReopen)
    const { yes = false, ...others } = flags
    const config = await this.readConfig(others)
    const { reopenStore } = await import('../../src/cli/offline-store.ts')
    const { moved, reopened, access } = await reopenStore(config, yes)
    if (access && moved) {
      this.show(renderStoreAccess(access))
      this.log(accessAdvice(`the store was moved at ${moved.at}`))
    }
    this.log(
      moved
        ? `The store can be changed again. It was moved to ${moved.to} at ${moved.at}.`
        : 'The store was not moved. Nothing was changed.',
    )
    return { reopened, moved, ...(access && { access }) }
  }
}
