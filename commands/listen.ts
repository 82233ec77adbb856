import { listenFlags } from '../src/cli/listen/listen-flags.ts'
import type { OpenedCursor } from '../src/cli/listen/open-cursor.ts'
import { printJson } from '../src/cli/print.ts'
import { ServiceCommand } from '../src/cli/service-command.ts'

export default class Listen extends ServiceCommand {
  static override summary = 'Forward the events of an organisation to a receiver on this machine.'
  static override description = [
    'Needs a service that runs, here or elsewhere (--operator-url). Events are signed with a secret of the listener and come one after the other.',
    'A first start begins with what is to come, a later one where the one before has ended.',
    'A receiver that does not answer is waited for; an event that it answers six times with anything but 2xx is given up.',
  ].join('\n')
  static override examples = [
    '<%= config.bin %> <%= command.id %> --organization "Demo Bank" --forward-to http://localhost:3000/hooks',
    '<%= config.bin %> <%= command.id %> --organization "Demo Bank" --forward-to http://localhost:3000/hooks --type share_purchase.settled --json',
    'SIGNING_SECRET=$(<%= config.bin %> <%= command.id %> --organization "Demo Bank" --forward-to http://localhost:3000/hooks --print-secret)',
  ]
  static override flags = listenFlags

  async run() {
    const { flags } = await this.parse(Listen)
    const { listenToEvents, openListening } = await import('../src/cli/listen/listen-to-events.ts')
    const lines = await import('../src/cli/listen/lines.ts')
    const listening = {
      connect: await this.connectOptions(flags),
      organization: flags.organization,
      forwardTo: flags['forward-to'],
      since: flags.since,
      cursorFile: flags.cursor,
    }
    if (flags['print-secret']) return this.#showSecret(await openListening(listening))
    await listenToEvents({
      ...listening,
      types: flags.type ?? [],
      firstWaitMs: flags.backoff * 1000,
      greet: (opened) => this.#showLine(lines.describeStart(opened), lines.renderStart(opened)),
      report: (attempt) =>
        this.#showLine(lines.describeAttempt(attempt), lines.renderAttempt(attempt)),
      tell: (message) => this.tell(message),
    })
    return undefined
  }

  /** An error is one of the lines, too. */
  override logJson(json: unknown): void {
    printJson(json)
  }

  #showSecret({ cursor: { signing_secret } }: OpenedCursor) {
    this.show(signing_secret)
    return { signing_secret }
  }

  /** As it comes, and not all of it at the end: under `--json` one object a line. */
  #showLine(text: string, data: object): void {
    if (this.jsonEnabled()) printJson(data)
    else this.show(text)
  }
}
