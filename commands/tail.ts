import { organizationFlag } from '../src/cli/arguments.ts'
import { printJson } from '../src/cli/output.ts'
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

  async run(): Promise<void> {
    const { flags } = await this.parse(Tail)
    const send = await this.reach(flags)
    const { followRequests, renderLine } = await import('../src/cli/journal.ts')
    const isJson = this.jsonEnabled()
    for await (const request of followRequests(send, flags.organization)) {
      if (isJson) printJson(request)
      else this.show(renderLine(request))
    }
  }

  /** With --json, errors are JSON lines, like all other output. */
  override logJson(json: unknown): void {
    printJson(json)
  }
}
