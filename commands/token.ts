import { required } from '../src/cli/arguments.ts'
import { operationCommand } from '../src/cli/service-command.ts'

export default class Token extends operationCommand('token.issue') {
  static override summary = 'Print an access token for a client, for tests.'
  static override description =
    'The token is valid at the base URL of the running service. If no service is running, the token is valid at COOPSHARE_BASE_URL.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 0b8f0b5c-6d0c-4b8e-9a55-0c3f5f5d2f11',
    'curl -H "Authorization: Bearer $(<%= config.bin %> <%= command.id %> 0b8f0b5c-6d0c-4b8e-9a55-0c3f5f5d2f11)" http://127.0.0.1:8080/v1/me',
  ]
  static override args = { client: required('Client id.') }

  async run() {
    const { args, flags } = await this.parse(Token)
    const token = await this.call(flags, { client_id: args.client })
    this.show(token.access_token)
    return token
  }
}
