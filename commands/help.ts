import { Args } from '@oclif/core'
import { BaseCommand } from '../src/cli/base-command.ts'
import { readHelp } from '../src/cli/program/read-help.ts'

export default class ShowHelp extends BaseCommand {
  static override summary = 'Show what there is, or the help of a command.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> purchase approve',
  ]
  static override strict = false
  static override args = {
    command: Args.string({ description: 'A command or the first word of some.', multiple: true }),
  }

  async run() {
    const { argv } = await this.parse(ShowHelp)
    const help = await readHelp(this.config, argv as string[])
    this.show(help)
    return { help }
  }
}
