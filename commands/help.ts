import { Args } from '@oclif/core'
import { BaseCommand } from '../src/cli/base-command.ts'
import { printTrusted } from '../src/cli/output.ts'
import { readHelp } from '../src/cli/program/help.ts'
import { plain, type Rendered, text } from '../src/wire/view.ts'

const shownHelp = plain('Help', { help: text('The help text.') })

export default class ShowHelp extends BaseCommand<Rendered<typeof shownHelp>> {
  static override summary = 'Show help for a command or a topic.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> purchase approve',
  ]
  static override strict = false
  static override args = {
    command: Args.string({
      description: 'A command, or a topic such as purchase or connection.',
      multiple: true,
    }),
  }

  override async output() {
    return shownHelp
  }

  async run() {
    const { argv } = await this.parse(ShowHelp)
    const help = await readHelp(this.config, argv as string[])
    if (!this.jsonEnabled()) printTrusted(help)
    return { help }
  }
}
