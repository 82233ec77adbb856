import { required } from '../../src/cli/arguments.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class InvestorShow extends operationCommand('investor.show') {
  static override examples = [
    '<%= config.bin %> <%= command.id %> 0198c0de-0000-7000-8000-0000000000a1',
  ]
  static override args = { investor: required('Investor id.') }

  async run() {
    const { args, flags } = await this.parse(InvestorShow)
    const investor = await this.call(flags, { investor_id: args.investor })
    const { renderInvestor } = await import('../../src/cli/render-investor.ts')
    this.show(renderInvestor(investor))
    return investor
  }
}
