import { exitCodes } from '../../src/cli/exit-codes.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'
import { renderFields } from '../../src/cli/table.ts'

export default class StoreCheck extends ServiceCommand {
  static override summary =
    'Read all of the store and compare it with its checksums and references.'
  static override description =
    'Changes nothing. Exits with 1 when something is wrong. What is sealed is opened, where the key is at hand; another key than that of the store is refused.'
  static override examples = ['<%= config.bin %> <%= command.id %>']

  async run() {
    const { flags } = await this.parse(StoreCheck)
    const { checkStore } = await import('../../src/cli/check-store.ts')
    const check = await checkStore(await this.connectOptions(flags))
    this.show(renderFields(check.records))
    if (check.torn_bytes > 0) this.log(renderTorn(check.torn_bytes))
    for (const problem of check.problems) this.log(problem)
    if (check.sealed_values === null) this.log(unopened)
    this.log(check.sound ? 'The store is sound.' : 'The store is not sound.')
    if (!check.sound) process.exitCode = exitCodes.failed
    return check
  }
}

const unopened =
  'What is sealed was not opened, because no key was given: --encryption-key-file or COOPSHARE_ENCRYPTION_KEY.'

function renderTorn(bytes: number): string {
  return `A crash cut off the last line, ${bytes} bytes that nobody was told of: the next start removes them.`
}
