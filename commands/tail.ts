import { organizationFlag } from '../src/cli/arguments.ts'
import { RunningServiceCommand } from '../src/cli/service-command.ts'
import type { FollowedRequest } from '../src/http/request-feed.ts'
import type { ExchangeRow } from '../src/wire/bench.ts'
import { either } from '../src/wire/view.ts'

export default class Tail extends RunningServiceCommand<FollowedRequest | ExchangeRow> {
  static override summary = 'Show partner requests as the service answers them.'
  static override description =
    'Needs a running service, and runs until you stop it. With `serve --bench`, the command also shows deliveries, and --json adds headers and bodies, without secrets and IBANs.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --organization "Demo Bank" --json',
  ]
  static override flags = { organization: organizationFlag() }

  protected override readonly start = 'coopshare serve'

  override get printsLines() {
    return true
  }

  override async output() {
    const { followedRequest } = await import('../src/http/request-feed.ts')
    const { exchange } = await import('../src/wire/bench.ts')
    return {
      ...either(followedRequest, exchange),
      note: 'With `serve --bench`, exchanges; otherwise, requests without their content.',
    }
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(Tail)
    const { send } = await this.reach(flags)
    const { followRequests, renderLine } = await import('../src/cli/follow-requests.ts')
    for await (const request of followRequests(send, flags.organization)) {
      this.showLine(renderLine(request), request)
    }
  }
}
