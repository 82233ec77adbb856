import { Flags } from '@oclif/core'
import { cooperativeFlag, limitFlag, yesFlag } from '../../src/cli/arguments.ts'
import { requireYesInProduction } from '../../src/cli/confirm.ts'
import { operationCommand } from '../../src/cli/service-command.ts'
import { renderTable } from '../../src/cli/table.ts'

export default class CollectionCreate extends operationCommand('collection.create') {
  static override description =
    'Takes all payments that are due. Investors get an e-mail about it; `collection show` lists those whom the partner must notify. Afterwards, `collection export` makes the file for the bank.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --dry-run',
    '<%= config.bin %> <%= command.id %> --cooperative solar-allgaeu --due 2026-12-14',
  ]
  static override flags = {
    cooperative: cooperativeFlag('Only payments for this cooperative, by id or key.'),
    due: Flags.string({
      helpValue: 'DATE',
      description: 'Due date, for example 2026-12-14. Default: the first possible one.',
    }),
    limit: limitFlag({ description: 'Maximum number of payments, oldest first.' }),
    'dry-run': Flags.boolean({ description: 'Change nothing; show what would be collected.' }),
    yes: yesFlag,
  }

  async run() {
    const { flags } = await this.parse(CollectionCreate)
    const { cooperative, due, limit, 'dry-run': dry_run } = flags
    if (!dry_run) await requireYesInProduction(flags, 'Collect the payments that are due')
    const created = await this.call(flags, { cooperative, due, limit, dry_run })
    const { collections, left_out, shortened } = created
    if (this.jsonEnabled()) return created
    if (collections.length === 0) {
      this.tell(
        'Nothing was collected: no payment is due. `coopshare payment list` shows all payments.',
      )
    } else {
      this.log(
        renderTable(collections, {
          ID: 'collection_id',
          COOPERATIVE: 'cooperative_key',
          DUE: 'due_date',
          PAYMENTS: 'count',
          TOTAL: ({ total, total_currency }) => `${total} ${total_currency}`,
        }),
      )
    }
    for (const { share_purchase_id, cooperative_key, reason } of left_out)
      this.tell(`Left out ${share_purchase_id} (${cooperative_key}): ${reason}.`)
    for (const share_purchase_id of shortened)
      this.tell(
        `${share_purchase_id}: the name or the address of the payer is too long for the file, which has only its beginning.`,
      )
    if (dry_run) this.tell('This was a dry run. Nothing was changed.')
    else if (collections.length > 0)
      this.tell('`coopshare collection export ID --to FILE` writes the file for the bank.')
    return created
  }
}
