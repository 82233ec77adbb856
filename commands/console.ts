import { Flags } from '@oclif/core'
import { RunningServiceCommand } from '../src/cli/service-command.ts'

interface Link {
  readonly url: string
  readonly expires_at: string
}

export default class Console extends RunningServiceCommand<Link> {
  static override summary = 'Print a link that signs you in to the console.'
  static override description =
    'The link works once, within a minute. It signs in the local administrator, or the operator whose token is in COOPSHARE_OPERATOR_TOKEN.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --open',
    '<%= config.bin %> <%= command.id %> --environment production --data-dir /srv/coopshare',
  ]
  static override flags = {
    open: Flags.boolean({ description: 'Open the link in your browser instead.' }),
  }

  protected override readonly start = 'coopshare serve'

  override async output() {
    const { plain, text, instant } = await import('../src/wire/view.ts')
    return plain('Console link', {
      url: text('Address that signs you in once.'),
      expires_at: instant('Time when the link expires.'),
    })
  }

  async run(): Promise<Link> {
    const { flags } = await this.parse(Console)
    const { open, ...connection } = flags
    const service = await this.reach(connection)
    const { path, expires_at } = await service.call('console.create_link', {})
    const url = `${service.address}${path}`
    if (!open) this.show(url)
    else await this.open(url)
    return { url, expires_at }
  }

  private async open(url: string): Promise<void> {
    const { openInBrowser } = await import('../src/cli/open-browser.ts')
    const fault = await openInBrowser(url)
    if (fault === undefined) return this.tell('The console opens in your browser.')
    this.show(url)
    this.tell(
      `Cannot open a browser here: ${fault}. Open the link yourself within a minute, on this machine or through a tunnel.`,
    )
  }
}
