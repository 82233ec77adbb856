import { listenFlags } from '../src/cli/event-flags.ts'
import { ServiceCommand } from '../src/cli/service-command.ts'
import type { OpenedCursor } from '../src/tools/listen/follow-events.ts'
import type {
  forwardedEvent,
  listener,
  signingSecret,
} from '../src/tools/listen/listen-to-events.ts'
import { either, type Rendered } from '../src/wire/view.ts'

export default class Listen extends ServiceCommand<
  Rendered<typeof listener | typeof forwardedEvent | typeof signingSecret>
> {
  static override summary = 'Forward an organization’s events to your machine.'
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

  override get printsLines() {
    return true
  }

  override async output() {
    const { forwardedEvent, listener, signingSecret } = await import(
      '../src/tools/listen/listen-to-events.ts'
    )
    return {
      ...either(listener, forwardedEvent, signingSecret),
      note: 'First the listener, then each attempt. With `--print-secret`, only the signing secret.',
    }
  }

  async run() {
    const { flags } = await this.parse(Listen)
    const {
      describeAttempt,
      describeStart,
      forwardedEvent,
      listener,
      listenToEvents,
      openListening,
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
      greet: (opened) => this.showLine(describeStart(opened), listener.render(opened)),
      report: (attempt) => this.showLine(describeAttempt(attempt), forwardedEvent.render(attempt)),
      tell: (message) => this.tell(message),
    })
    return undefined
  }

  #showSecret({ cursor: { signing_secret } }: OpenedCursor) {
    this.show(signing_secret)
    return { signing_secret }
  }
}
