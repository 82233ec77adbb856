import { Flags } from '@oclif/core'
import { required } from '../../src/cli/arguments.ts'
import { printJson } from '../../src/cli/output.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class InvestorExport extends operationCommand('investor.export') {
  static override description =
    'With -o html, the output is a page for the person, which needs no network and can be printed. The output contains the whole IBAN, so keep it where only the person can read it.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 0198c0de-0000-7000-8000-0000000000a1 -o html > person.html',
    '<%= config.bin %> <%= command.id %> 0198c0de-0000-7000-8000-0000000000a1 -o html --language en > person.html',
    '<%= config.bin %> <%= command.id %> 0198c0de-0000-7000-8000-0000000000a1 -o json > person.json',
  ]
  static override args = { investor: required('Investor id.') }
  static override flags = {
    output: Flags.option({
      char: 'o',
      options: ['text', 'html', 'json'] as const,
      default: 'text' as const,
      description: 'Output format.',
    })(),
    language: Flags.option({
      options: ['de', 'en'] as const,
      default: 'de' as const,
      description: 'Language of the page, for -o html.',
    })(),
  }

  async run() {
    const { args, flags } = await this.parse(InvestorExport)
    const exported = await this.call(flags, { investor_id: args.investor })
    if (flags.output === 'json') {
      if (!this.jsonEnabled()) printJson(exported, 'pretty')
      return exported
    }
    if (flags.output === 'html') {
      const { renderInvestorPage } = await import('../../src/http/console/investor-export.ts')
      this.show(renderInvestorPage(exported, flags.language))
    } else {
      const { renderExportedInvestor } = await import('../../src/cli/render-investor.ts')
      this.show(renderExportedInvestor(exported))
    }
    return exported
  }
}
