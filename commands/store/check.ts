import { Flags } from '@oclif/core'
import { exitCodes } from '../../src/cli/exit-codes.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'
import { renderFields } from '../../src/cli/table.ts'

export default class StoreCheck extends ServiceCommand {
  static override summary =
    'Read all of the store and compare it with its checksums and references.'
  static override description =
    'Changes nothing. Exits with 1 when something is wrong. What is sealed is opened, where the key is at hand; another key than that of the store is refused.'
  static override examples = ['<%= config.bin %> <%= command.id %>']

  static override flags = {
    backup: Flags.string({
      helpValue: 'FILE',
      description: 'Also say so when the store lacks what this backup of it has.',
    }),
  }

  async run() {
    const { flags } = await this.parse(StoreCheck)
    const { backup, ...others } = flags
    const { checkStore } = await import('../../src/cli/check-store.ts')
    const check = await checkStore(await this.connectOptions(others), backup)
    this.show(renderFields(check.records))
    if (check.torn_bytes > 0) this.log(renderTorn(check.torn_bytes))
    for (const problem of check.problems) this.log(problem)
    if (check.sealed_values === null) this.log(unopened)
    if (check.moved) this.log(renderMoved(check.moved))
    this.log(check.sound ? 'The store is sound.' : 'The store is not sound.')
    if (!check.sound) process.exitCode = exitCodes.failed
    return check
  }
}

const unopened =
  'What is sealed was not opened, because no key was given: --encryption-key-file or COOPSHARE_ENCRYPTION_KEY.'

function renderMoved({ to, at }: { readonly to: string; readonly at: string }): string {
  return `The store was moved to ${to} at ${at}: it can be read, but it takes no writes.`
}

function renderTorn(bytes: number): string {
  return `A crash cut off the last line, ${bytes} bytes that nobody was told of: the next start removes them.`
}
