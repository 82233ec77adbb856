import { Flags } from '@oclif/core'
import { required } from '../../src/cli/arguments.ts'
import { operationCommand } from '../../src/cli/service-command.ts'
import { defaultLeadDays, defaultNoticeDays } from '../../src/domain/payments/creditor.ts'

export default class CooperativeSetCreditor extends operationCommand('cooperative.set_creditor') {
  static override examples = [
    '<%= config.bin %> <%= command.id %> solar-allgaeu --name "Sonnenfirst Allgäu eG" --creditor-id DE98ZZZ09999999999 --iban DE02120300000000202051',
  ]
  static override args = { cooperative: required('Id or key of the cooperative.') }
  static override flags = {
    name: Flags.string({
      required: true,
      helpValue: 'TEXT',
      description: 'Name of the creditor, as banks know it.',
    }),
    'creditor-id': Flags.string({
      required: true,
      helpValue: 'ID',
      description: 'SEPA creditor identifier of the cooperative.',
    }),
    iban: Flags.string({
      required: true,
      helpValue: 'IBAN',
      description: 'Account of the cooperative.',
    }),
    'notice-days': Flags.integer({
      min: 1,
      max: 90,
      helpValue: 'N',
      description: `Days between the announcement of a direct debit and its due date. Default: ${defaultNoticeDays}.`,
    }),
    'lead-days': Flags.integer({
      min: 1,
      max: 30,
      helpValue: 'N',
      description: `Days between the file and the due date on which banks work (TARGET). Default: ${defaultLeadDays}.`,
    }),
  }

  async run() {
    const { args, flags } = await this.parse(CooperativeSetCreditor)
    const cooperative = await this.call(flags, {
      cooperative: args.cooperative,
      name: flags.name,
      creditor_id: flags['creditor-id'],
      iban: flags.iban,
      notice_days: flags['notice-days'],
      lead_days: flags['lead-days'],
    })
    this.log(
      `Payments for shares of ${cooperative.name} are collected for ${cooperative.creditor?.name}, ${cooperative.creditor?.creditor_id}.`,
    )
    return cooperative
  }
}
