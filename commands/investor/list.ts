import { Flags } from '@oclif/core'
import { organizationFlag } from '../../src/cli/arguments.ts'
import { timeFlag } from '../../src/cli/event-flags.ts'
import { listFlags } from '../../src/cli/list-output.ts'
import { operationCommand } from '../../src/cli/service-command.ts'
import { investorSorts } from '../../src/operations/investors.ts'
import type { Row } from '../../src/operations/operations.ts'

export default class InvestorList extends operationCommand('investor.list') {
  static override description = 'The output contains personal data.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --organization "Demo Bank" --since 7d',
    '<%= config.bin %> <%= command.id %> --erased --json',
  ]
  static override flags = {
    organization: organizationFlag(),
    since: timeFlag('Only investors created at or after this time'),
    until: timeFlag('Only investors created before this time'),
    erased: Flags.boolean({
      exclusive: ['organization', 'since', 'until'],
      description: 'Only erased persons, the most recently erased first.',
    }),
    ...listFlags,
  }

  async run() {
    const { flags } = await this.parse(InvestorList)
    const { organization, since, until, erased } = flags
    const damaged: string[] = []
    await this.showList(flags, {
      read: async ({ sort: asked, limit }) => {
        const service = await this.connect(flags)
        const sort = investorSorts.find((one) => one === asked)
        const filter = { organization, since, until, erased, sort, limit }
        return noting(service.list('investor.list', filter), damaged)
      },
      empty:
        'No investors yet. Partners register them through the API, and `coopshare fixtures apply FILE` adds those of a file.',
      columns: {
        ID: 'investor_id',
        NAME: ({ name, company, is_damaged }) => (is_damaged ? '(damaged)' : (name ?? company)),
        REFERENCE: 'partner_customer_ref',
        PARTNER: 'organization',
        CREATED: 'created_at',
        ...(erased && { ERASED: 'erased_at' }),
      },
      wide: { 'E-MAIL': 'email', UPDATED: 'updated_at' },
      sorts: erased ? [] : ['created_at'],
    })
    for (const id of damaged) {
      this.tell(
        `The personal data of ${id} is damaged. \`coopshare store check\` names the damaged values.`,
      )
    }
  }
}

async function* noting(
  list: AsyncIterable<readonly Row<'investor.list'>[]>,
  damaged: string[],
): AsyncGenerator<readonly Row<'investor.list'>[]> {
  for await (const rows of list) {
    damaged.push(...rows.filter((row) => row.is_damaged).map((row) => row.investor_id))
    yield rows
  }
}
