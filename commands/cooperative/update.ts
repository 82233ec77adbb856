import { Flags } from '@oclif/core'
import { required } from '../../src/cli/arguments.ts'
import {
  cooperativeFlags,
  readCooperativeFlags,
  requireField,
} from '../../src/cli/cooperative-flags.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class CooperativeUpdate extends operationCommand('cooperative.update') {
  static override summary = 'Change some fields of a cooperative, and leave the others unchanged.'
  static override description =
    'An empty value clears a field: `--city ""`. To set projects and images, use a file: see `cooperative import`.'
  static override usage = '<%= command.id %> COOPERATIVE [--FIELD VALUE]...'
  static override examples = [
    '<%= config.bin %> <%= command.id %> solar-allgaeu --city Ulm --minimum-shares 2',
  ]
  static override args = { cooperative: required('Cooperative id or key.') }
  static override flags = {
    ...cooperativeFlags,
    published: Flags.boolean({
      allowNo: true,
      description: 'Whether partners can see the cooperative.',
    }),
  }

  async run() {
    const { args, flags } = await this.parse(CooperativeUpdate)
    const { name, 'energy-category': energy_category, 'share-price': share_price } = flags
    const fields = { ...readCooperativeFlags(flags), name, energy_category, share_price }
    const changes = { ...fields, published: flags.published }
    requireField(changes)
    const cooperative = await this.call(flags, {
      cooperative: args.cooperative,
      ...changes,
    })
    this.log(`Updated ${cooperative.name}.`)
    return cooperative
  }
}
