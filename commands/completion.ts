import { Args, Parser } from '@oclif/core'
import { BaseCommand } from '../src/cli/base-command.ts'
import {
  askService,
  type Choice,
  questionOf,
  readCompletions,
} from '../src/cli/completion/choices.ts'
import {
  renderBash,
  renderFish,
  renderForBash,
  renderForFish,
  renderForZsh,
  renderZsh,
  splitBashLine,
} from '../src/cli/completion/shells.ts'
import { connectionWordsOf, remoteFlags } from '../src/cli/service-command.ts'
import { escapeToOneLine } from '../src/domain/text.ts'
import { plain, type Rendered, text } from '../src/wire/view.ts'

const renderers = { bash: renderBash, zsh: renderZsh, fish: renderFish }
const shells = ['bash', 'zsh', 'fish'] as const

/** A person waits for the answer each time they press Tab. */
const longestMs = 800

const script = plain('Script', { script: text('The completion script.') })

export default class Completion extends BaseCommand<Rendered<typeof script>> {
  static override summary = 'Print a completion script for your shell.'
  static override description =
    `The script asks the running service for organization names, cooperative keys, open orders, clients, endpoints and operators. Without a running service, the script offers none of these.

If you use an alias for coopshare, define the alias first.

bash: add \`source <(coopshare completion bash)\` to ~/.bashrc.
zsh: add \`source <(coopshare completion zsh)\` to ~/.zshrc, after compinit.
fish: run \`coopshare completion fish > ~/.config/fish/completions/coopshare.fish\`.`
  static override examples = [
    'source <(<%= config.bin %> <%= command.id %> bash)',
    'alias coopshare="node bin/run.js"; source <(<%= config.bin %> <%= command.id %> zsh)',
    '<%= config.bin %> <%= command.id %> fish | source',
  ]
  static override args = {
    shell: Args.option({ options: shells })({
      required: true,
      description: 'Shell to generate the script for.',
    }),
    words: Args.string({
      multiple: true,
      ignoreStdin: true,
      hidden: true,
      description:
        'Words of the command line, as the script passes them; bash passes the whole line.',
    }),
  }

  override async output() {
    return script
  }

  async run() {
    const { args } = await this.parse(Completion)
    if (args.words) return this.#offer(args.shell, [args.words].flat())
    const script = renderers[args.shell](this.config.bin, readCompletions(this.config))
    this.show(script)
    return { script }
  }

  /** A shell must not show an error while a person types, so after an error there are no choices. */
  async #offer(shell: (typeof shells)[number], given: readonly string[]) {
    const typed = shell === 'bash' ? splitBashLine(given[0] ?? '') : undefined
    const words = typed?.map(({ text }) => text) ?? given
    const found = await Promise.race([
      this.#ask(words).catch(() => []),
      new Promise<readonly Choice[]>((resolve) => setTimeout(resolve, longestMs, []).unref()),
    ])
    const last = typed?.at(-1)
    const lines = last
      ? renderForBash(
          found.map(({ word }) => word),
          last,
        )
      : found
          .map(({ word, description }) => ({ word, description: escapeToOneLine(description) }))
          .map(shell === 'zsh' ? renderForZsh : renderForFish)
    if (lines.length > 0) this.show(lines.join('\n'))
    return { script: lines.join('\n') }
  }

  async #ask(words: readonly string[]): Promise<readonly Choice[]> {
    const question = questionOf(this.config, words)
    if (!question) return []
    const { flags } = await Parser.parse(connectionWordsOf(words), { flags: remoteFlags })
    const { 'operator-url': operatorUrl, 'operator-ca': operatorCa, ...own } = flags
    const config = await this.readConfig(own)
    const { findRunningService } = await import('../src/cli/connect.ts')
    const asked = { operatorUrl, operatorCa, config, timeoutMs: longestMs }
    const service = await findRunningService(asked)
    return service ? askService(service, question) : []
  }
}
