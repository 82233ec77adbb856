import { required, yesFlag } from '../../src/cli/arguments.ts'
import { requireYes } from '../../src/cli/confirm.ts'
import { operationCommand } from '../../src/cli/service-command.ts'
import { unlikelyChange } from '../../src/domain/cooperatives/cooperative.ts'

export default class CooperativeSetPrice extends operationCommand('cooperative.set_price') {
  static override description =
    'If the price would change by more than half, the command asks for confirmation. Without a terminal, it needs --yes.'
  static override examples = ['<%= config.bin %> <%= command.id %> solar-allgaeu 275.00']
  static override args = {
    cooperative: required('Cooperative id or key.'),
    amount: required('Decimal amount, for example 275.00.'),
  }

  static override flags = { yes: yesFlag }

  async run() {
    const { args, flags } = await this.parse(CooperativeSetPrice)
    const service = await this.connect(flags)
    const before = await service.call('cooperative.show', { cooperative: args.cooperative })
    if (!flags.yes) await requireLikely(before, args.amount)
    const cooperative = await service.call('cooperative.set_price', {
      cooperative: args.cooperative,
      share_price: args.amount,
    })
    this.log(
      `A share of ${cooperative.name} now costs ${cooperative.share_price} ${cooperative.share_price_currency}; before: ${before.share_price}.`,
    )
    return cooperative
  }
}

interface Priced {
  readonly name: string
  readonly share_price: string
  readonly share_price_currency: string
}

async function requireLikely(
  { name, share_price, share_price_currency: currency }: Priced,
  amount: string,
): Promise<void> {
  const change = unlikelyChange(share_price, amount)
  if (change === undefined) return
  const what = `A share of ${name} costs ${share_price} ${currency}. The new price, ${amount} ${currency}, differs by ${change}.`
  await requireYes({
    question: `${what} Set it?`,
    instead: `${what} Nothing was changed. If the price is right, run the command again with --yes.`,
  })
}
