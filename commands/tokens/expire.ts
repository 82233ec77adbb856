import { Flags } from '@oclif/core'
import { BenchCommand } from '../../src/cli/service-command.ts'
import type { expiredTokens } from '../../src/wire/bench.ts'
import type { Rendered } from '../../src/wire/view.ts'

export default class TokensExpire extends BenchCommand<Rendered<typeof expiredTokens>> {
  static override summary = 'Make access tokens expire immediately (staging only).'
  static override description =
    'Clients get 401 with their old tokens and can request new ones immediately.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --client 7c9e6679-7425-40de-944b-e07fc1f90ae7',
  ]
  static override flags = {
    client: Flags.string({ helpValue: 'ID', description: 'Only tokens of this client.' }),
  }

  override async output() {
    const { expiredTokens } = await import('../../src/wire/bench.ts')
    return expiredTokens
  }

  async run() {
    const { flags } = await this.parse(TokensExpire)
    const { client } = flags
    const ended = await this.ask(flags, 'POST', 'tokens/expire', { client })
    this.log(`Ended the tokens of ${ended.clients} ${ended.clients === 1 ? 'client' : 'clients'}.`)
    return ended
  }
}
