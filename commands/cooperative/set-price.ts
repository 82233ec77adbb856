import { required } from '../../src/cli/arguments.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'

export default class CooperativeSetPrice extends ServiceCommand {
  static override summary = 'Set the price of a share. Existing orders keep their price.'
  static override examples = ['<%= config.bin %> <%= command.id %> solar-allgaeu 275.00']
  static override args = {
    cooperative: required('Id or key of the cooperative.'),
    amount: required('Decimal amount, for example 275.00.'),
  }

  async run() {
    const { args, flags } = await this.parse(CooperativeSetPrice)
    const service = await this.connect(flags)
    const cooperative = await service.call('cooperative.set_price', {
      cooperative: args.cooperative,
      share_price: args.amount,
    })
    this.log(
      `A share of ${cooperative.name} now costs ${cooperative.share_price} ${cooperative.share_price_currency}.`,
    )
    return cooperative
  }
}
