import { Flags } from '@oclif/core'
import { exitCodes } from '../../src/cli/error-codes.ts'
import { operationCommand } from '../../src/cli/service-command.ts'
import { renderFields } from '../../src/cli/table.ts'

export default class StoreCheck extends operationCommand('store.check') {
  static override description =
    'The command changes nothing. It checks encrypted values if the key is available, and refuses a wrong key.\n\nExit code 1: the store is damaged.'
  static override examples = ['<%= config.bin %> <%= command.id %>']

  static override flags = {
    backup: Flags.string({
      helpValue: 'FILE',
      description: 'Also check that the store still contains everything in this backup.',
    }),
  }

  async run() {
    const { flags } = await this.parse(StoreCheck)
    const { backup, ...others } = flags
    const { checkStore } = await import('../../src/cli/offline-store.ts')
    const check = await checkStore(await this.connectOptions(others), backup)
    this.show(renderFields(check.records))
    if (check.torn_bytes > 0) this.log(renderTorn(check.torn_bytes))
    for (const problem of check.problems) this.log(problem)
    if (check.sealed_values === null) this.log(unopened)
    if (check.rekeying) this.log(rekeying)
    if (check.moved) this.log(renderMoved(check.moved))
    this.log(check.sound ? 'The store is sound.' : 'The store is damaged.')
    if (!check.sound) process.exitCode = exitCodes.failed
    return check
  }
}

const unopened =
  'Encrypted values were not checked: no key given (--encryption-key-file or COOPSHARE_ENCRYPTION_KEY).'

const rekeying =
  'The keys are being replaced: `store rekey` is running or was interrupted. A running service finishes the change by itself; without one, run `store rekey` again.'

function renderMoved({ to, at }: { readonly to: string; readonly at: string }): string {
  return `The store was moved to ${to} at ${at}: it can be read but not changed.`
}

function renderTorn(bytes: number): string {
  return `Incomplete last line (${bytes} bytes, never acknowledged); the next start removes it.`
}
