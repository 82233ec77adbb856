import { Args, Flags } from '@oclif/core'
import { operationCommand } from '../src/cli/service-command.ts'

export default class Find extends operationCommand('find') {
  static override summary =
    'Find persons with their orders, partners, clients, cooperatives and events.'
  static override description =
    `Searches by name, e-mail address, IBAN, the partner’s reference, the mandate reference, or id. The first letters of each word in a name are enough: three for persons and their companies. Case, accents and word order do not matter. The first 6 characters of an id are enough.

The output contains personal data. Your shell may save the command in its history.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> "Anna Schmidt"',
    '<%= config.bin %> <%= command.id %> son',
    '<%= config.bin %> <%= command.id %> "DE12 5001 0517 0648 4898 90"',
    '<%= config.bin %> <%= command.id %> 0198c0de --json',
  ]
  static override args = {
    text: Args.string({
      required: true,
      multiple: true,
      ignoreStdin: true,
      description: 'Name, e-mail address, IBAN, reference or id.',
    }),
  }
  static override flags = {
    limit: Flags.integer({
      min: 1,
      max: 50,
      helpValue: 'N',
      description: 'Maximum number of persons.',
    }),
  }

  async run() {
    const { args, flags } = await this.parse(Find)
    const text = [args.text].flat().join(' ')
    const found = await this.call(flags, { text, limit: flags.limit })
    const { renderFound } = await import('../src/cli/render-investor.ts')
    this.show(renderFound(found))
    return found
  }
}
