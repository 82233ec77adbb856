import { Flags } from '@oclif/core'
import { benchCommand } from '../../src/cli/service-command.ts'

export default class TokensExpire extends benchCommand('bench.expire_tokens') {
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

  async run() {
    const { flags } = await this.parse(TokensExpire)
    const ended = await this.call(flags, { client: flags.client })
    this.log(`Ended the tokens of ${ended.clients} ${ended.clients === 1 ? 'client' : 'clients'}.`)
    return ended
  }
}
