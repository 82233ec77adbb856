import { Args } from '@oclif/core'
import { BaseCommand } from '../src/cli/base-command.ts'
import { readCompletions } from '../src/cli/completion/choices.ts'
import { renderBash, renderFish, renderZsh } from '../src/cli/completion/shells.ts'

const renderers = { bash: renderBash, zsh: renderZsh, fish: renderFish }
const shells = ['bash', 'zsh', 'fish'] as const

export default class Completion extends BaseCommand {
  static override summary = 'Print a completion script for your shell.'
  static override description = `bash: add \`source <(coopshare completion bash)\` to ~/.bashrc.
zsh: add \`source <(coopshare completion zsh)\` to ~/.zshrc, after compinit.
fish: run \`coopshare completion fish > ~/.config/fish/completions/coopshare.fish\`.`
  static override examples = ['source <(<%= config.bin %> <%= command.id %> bash)']
  static override args = {
    shell: Args.option({ options: shells })({
      required: true,
      description: 'Shell to generate the script for.',
    }),
  }

  async run() {
    const { args } = await this.parse(Completion)
    const script = renderers[args.shell](this.config.bin, readCompletions(this.config))
    this.show(script)
    return { script }
  }
}
