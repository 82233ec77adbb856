import { Flags } from '@oclif/core'
import { required } from '../../src/cli/arguments.ts'
import { operationCommand } from '../../src/cli/service-command.ts'
import { invalid } from '../../src/config/common-flags.ts'

export default class StatementSimulate extends operationCommand('statement.simulate') {
  static override summary =
    'Print the statement (camt.053) that a bank would send for a collection. Only in staging.'
  static override description =
    'The whole collection is booked on its due date, and the given payments come back two TARGET days later. Import the file to see the effects.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 7c9e6679-7425-40de-944b-e07fc1f90ae7 --return f97142ac=AM04 --charges 3.00 > camt053.xml',
  ]
  static override args = { collection: required('Id of the collection.') }
  static override flags = {
    return: Flags.string({
      multiple: true,
      helpValue: 'PURCHASE=CODE',
      description: 'The payment of this share purchase comes back with this code of the bank.',
    }),
    charges: Flags.string({
      helpValue: 'AMOUNT',
      description: 'What the bank charges for each return. Default: nothing.',
    }),
  }

  async run() {
    const { args, flags } = await this.parse(StatementSimulate)
    const simulated = await this.call(flags, {
      collection_id: args.collection,
      returns: flags.return?.map(readReturn),
      charges: flags.charges,
    })
    this.show(simulated.file.trimEnd())
    return simulated
  }
}

function readReturn(text: string) {
  const [, share_purchase_id, code] = /^([\w-]+)=([A-Z0-9]{4})$/.exec(text) ?? []
  if (share_purchase_id === undefined || code === undefined)
    throw invalid(`--return must be an id and a code, such as f97142ac=AM04, not "${text}".`)
  return { share_purchase_id, code }
}
