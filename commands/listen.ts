import { listenFlags } from '../src/cli/event-flags.ts'
import { ServiceCommand } from '../src/cli/service-command.ts'
import type { OpenedCursor } from '../src/tools/listen/follow-events.ts'

export default class Listen extends ServiceCommand {
  static override summary = 'Forward the events of an organization to your machine.'
  static override description = [
    'Needs a running service, on this machine or at --operator-url. Sends events one at a time and signs them with the listener’s own secret.',
    'The first run forwards new events only. Later runs continue where the previous run stopped.',
    'If the receiver does not answer, the command sends the event again until it gets an answer. After six answers other than 2xx, the command drops the event.',
  ].join('\n')
  static override examples = [
    '<%= config.bin %> <%= command.id %> --organization "Demo Bank" --forward-to http://localhost:3000/hooks',
    'SIGNING_SECRET=$(<%= config.bin %> <%= command.id %> --organization "Demo Bank" --forward-to http://localhost:3000/hooks --print-secret)',
  ]
  static override flags = listenFlags

  protected override readonly printsLines = true

  async run() {
    const { flags } = await this.parse(Listen)
    const {
      describeAttempt,
      describeStart,
      listenToEvents,
      openListening,
      renderAttempt,
      renderStart,
    } = await import('../src/tools/listen/listen-to-events.ts')
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
      greet: (opened) => this.showLine(describeStart(opened), renderStart(opened)),
      report: (attempt) => this.showLine(describeAttempt(attempt), renderAttempt(attempt)),
      tell: (message) => this.tell(message),
    })
    return undefined
  }

  #showSecret({ cursor: { signing_secret } }: OpenedCursor) {
    this.show(signing_secret)
    return { signing_secret }
  }
}
