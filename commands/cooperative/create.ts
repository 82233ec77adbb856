import { Flags } from '@oclif/core'
import { required } from '../../src/cli/arguments.ts'
import { cooperativeFlags, readCooperativeFlags } from '../../src/cli/cooperative-flags.ts'
import { operationCommand } from '../../src/cli/service-command.ts'

export default class CooperativeCreate extends operationCommand('cooperative.create') {
  static override summary =
    'Create a cooperative, which stays hidden from partners until you publish it.'
  static override description = 'To set projects and images, use a file: see `cooperative import`.'
  static override usage =
    '<%= command.id %> KEY --name TEXT --energy-category CATEGORY --share-price AMOUNT [--FIELD VALUE]...'
  static override examples = [
    '<%= config.bin %> <%= command.id %> solar-allgaeu --name "Solar Allgäu eG" --energy-category solar --share-price 250.00',
  ]
  static override args = {
    key: required('Your own unique name for the cooperative in files and commands.'),
  }
  static override flags = {
    ...cooperativeFlags,
    name: { ...cooperativeFlags.name, required: true },
    'energy-category': { ...cooperativeFlags['energy-category'], required: true },
    'share-price': { ...cooperativeFlags['share-price'], required: true },
    published: Flags.boolean({ description: 'Publish the cooperative immediately.' }),
  }

  protected override readonly mayBeginStore = true

  async run() {
    const { args, flags } = await this.parse(CooperativeCreate)
    const { name = '', 'energy-category': category = 'other', 'share-price': price = '' } = flags
    const fields = readCooperativeFlags(flags)
    const cooperative = await this.call(flags, {
      ...fields,
      key: args.key,
      name,
      energy_category: category,
      share_price: price,
      published: flags.published,
    })
    this.log(`Created ${cooperative.name}: ${cooperative.id}`)
    return cooperative
  }
}
