import { BaseCommand } from '../src/cli/base-command.ts'
import { printJson } from '../src/cli/print.ts'
import { writeFailedStart } from '../src/cli/serve/json-stderr.ts'
import { serveFlags } from '../src/config/serve-flags.ts'

export default class Serve extends BaseCommand {
  static override summary = 'Run the partner API and the operator endpoint.'
  static override description =
    'Every flag can be given as a variable, for instance COOPSHARE_PORT. At SIGTERM it first drains (--drain), then finishes what is in flight and stops.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --demo',
    '<%= config.bin %> <%= command.id %> --environment production --data-dir /srv/coopshare --base-url https://partner-api.example',
  ]
  static override flags = serveFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(Serve)
    const config = await this.readConfig(flags)
    const { serve } = await import('../src/cli/serve/serve.ts')
    await serve(config, {
      greet: ({ text, data }) => {
        if (this.jsonEnabled()) printJson(data)
        else this.log(text)
      },
    })
  }

  /** stderr has the log, also of a start that failed. */
  protected override tellError(error: Error): void {
    writeFailedStart(error)
  }

  protected override noteError(error: Error): void {
    this.tellError(error)
  }
}
