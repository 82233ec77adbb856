import { BaseCommand } from '../src/cli/base-command.ts'
import { givenFormOf } from '../src/cli/serve/log-form.ts'
import { writeFailedStart } from '../src/cli/serve/log-lines.ts'
import type { readyService } from '../src/cli/serve/serve.ts'
import { serveFlags } from '../src/config/serve-flags.ts'
import type { Rendered } from '../src/wire/view.ts'

export default class Serve extends BaseCommand<Rendered<typeof readyService>> {
  static override summary = 'Run the partner API and the operator endpoint.'
  static override description =
    'You can set each flag with a variable: COOPSHARE_PORT sets --port. At SIGTERM or SIGHUP the service drains (--drain), ends its requests and stops.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --demo',
    '<%= config.bin %> <%= command.id %> --environment production --data-dir /srv/coopshare',
  ]
  // With all flags, the usage would be longer than a screen.
  static override usage = '<%= command.id %> [flags] [bench flags] [connection flags]'
  static override flags = serveFlags

  override get printsLines() {
    return true
  }

  override async output() {
    const { readyService } = await import('../src/cli/serve/serve.ts')
    return { ...readyService, note: 'Printed once, when the service is ready.' }
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(Serve)
    const config = await this.readConfig(flags)
    const { serve } = await import('../src/cli/serve/serve.ts')
    await serve(config, {
      greet: ({ text, data }) => this.showLine(text, data),
      isForPerson: process.stdout.isTTY && process.stderr.isTTY && !this.jsonEnabled(),
      defaultDataDirectory: this.config.dataDir,
    })
  }

  /** If the log on stderr consists of JSON lines, errors are JSON lines, too. */
  protected override tellError(error: Error): void {
    if (this.#isLogJson()) writeFailedStart(error)
    else super.tellError(error)
  }

  protected override noteError(error: Error): void {
    if (this.#isLogJson()) writeFailedStart(error)
  }

  #isLogJson(): boolean {
    return givenFormOf(this.argv, process.env) === 'json'
  }
}
