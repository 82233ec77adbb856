import { Args } from '@oclif/core'
import { BaseCommand } from '../src/cli/base-command.ts'
import { renderBash } from '../src/cli/completion/bash.ts'
import { renderFish } from '../src/cli/completion/fish.ts'
import { readCompletions } from '../src/cli/completion/read-completions.ts'
import { renderZsh } from '../src/cli/completion/zsh.ts'

const renderers = { bash: renderBash, zsh: renderZsh, fish: renderFish }
const shells = ['bash', 'zsh', 'fish'] as const

export default class Completion extends BaseCommand {
  static override summary = 'Print what makes a shell complete commands and flags.'
  static override description = `bash: add \`source <(coopshare completion bash)\` to ~/.bashrc
zsh: add \`source <(coopshare completion zsh)\` to ~/.zshrc, below compinit
fish: coopshare completion fish > ~/.config/fish/completions/coopshare.fish`
  static override examples = ['source <(<%= config.bin %> <%= command.id %> bash)']
  static override args = {
    shell: Args.option({ options: shells })({ required: true, description: 'Yours.' }),
  }

  async run() {
    const { args } = await this.parse(Completion)
    const script = renderers[args.shell](this.config.bin, readCompletions(this.config))
    this.show(script)
    return { script }
  }
}
