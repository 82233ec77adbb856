import { organizationFlag } from '../src/cli/arguments.ts'
import { BenchCommand } from '../src/cli/service-command.ts'

export default class Tail extends BenchCommand {
  static override summary = 'Show the requests of partners as the service answers them.'
  static override description =
    'Needs a running service, and runs until you stop it. With `serve --bench`, the command also shows deliveries, and --json adds headers and bodies, without secrets and IBANs.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --organization "Demo Bank" --json',
  ]
  static override flags = { organization: organizationFlag() }

  protected override readonly printsLines = true

  async run(): Promise<void> {
    const { flags } = await this.parse(Tail)
    const send = await this.reach(flags)
    const { followRequests, renderLine } = await import('../src/cli/journal.ts')
    for await (const request of followRequests(send, flags.organization)) {
      this.showLine(renderLine(request), request)
    }
  }
}
