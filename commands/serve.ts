import { ux } from '@oclif/core'
import { BaseCommand } from '../src/cli/base-command.ts'
import { serveFlags } from '../src/config/serve-flags.ts'

export default class Serve extends BaseCommand {
  static override summary = 'Run the partner API and the operator endpoint.'
  static override description =
    'Every flag can be given as a variable, for instance COOPSHARE_PORT. Stops at SIGTERM, with what is in flight finished.'
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
      greet: (ready) => {
        this.log(ready.text)
        if (this.jsonEnabled()) ux.stdout(JSON.stringify(ready.data))
      },
    })
  }
}
