import { Args, Flags } from '@oclif/core'
import { yesFlag } from '../../src/cli/arguments.ts'
import { exitCodeOfAll } from '../../src/cli/bulk.ts'
import { requireYes } from '../../src/cli/confirm.ts'
import type { Connection } from '../../src/cli/connection.ts'
import { failedErasure } from '../../src/cli/errors.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'
import { distinctIds, isFailed, type Tried, tryEach } from '../../src/operations/bulk/try-each.ts'
import type { Output } from '../../src/operations/operations.ts'
import { either, many, type Rendered } from '../../src/wire/view.ts'

type Erased = Output<'investor.erase'>

export default class InvestorErase extends ServiceCommand<
  Erased | readonly (Erased | Rendered<typeof failedErasure>)[]
> {
  static override summary = 'Erase investors’ personal data, but keep their orders and holdings.'
  static override description =
    `Removes the name, contact data, bank data and the partner’s reference, also from the journal and from e-mails in the mail directory. You cannot undo this. Amounts, dates and ids stay, because the books refer to them. From then on, the partner gets a 404, as for an unknown investor.

The command refuses to erase a person who holds shares, because the list of members of each cooperative must have the name and address of its members. If the cooperative keeps its list of members elsewhere, pass --although-member and a reason.

Earlier backups still contain the personal data.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> 0198c0de-0000-7000-8000-0000000000a1 --reason "Request of 3 May"',
    '<%= config.bin %> <%= command.id %> 0198c0de-0000-7000-8000-0000000000a1 --although-member --reason "The board has the list on paper"',
  ]
  static override args = {
    investors: Args.string({
      required: true,
      multiple: true,
      ignoreStdin: true,
      description: 'Investor ids.',
    }),
  }
  static override flags = {
    reason: Flags.string({
      helpValue: 'TEXT',
      description: 'Reason to record. It must not name the person.',
    }),
    'although-member': Flags.boolean({
      description: 'Erase even a person who holds shares. Needs --reason.',
      dependsOn: ['reason'],
    }),
    yes: yesFlag,
  }

  override async output() {
    const { erased } = await import('../../src/operations/investors.ts')
    return {
      ...either(erased, many(either(erased, failedErasure))),
      note: 'One object if you give one id, otherwise a list.',
    }
  }

  async run() {
    const { args, flags } = await this.parse(InvestorErase)
    const ids = distinctIds([args.investors].flat())
    const service = await this.connect(flags)
    if (!flags.yes) await requireConsent(service, ids)
    const { reason, 'although-member': although_member } = flags
    const erase = (investor_id: string) =>
      service.call('investor.erase', { investor_id, reason, although_member })
    const { renderErasure } = await import('../../src/cli/render-investor.ts')
    const [only, ...more] = ids
    if (only !== undefined && more.length === 0) {
      const erased = await erase(only)
      this.show(renderErasure(erased))
      return erased
    }
    const onTried = (each: Tried<unknown>) => {
      if (isFailed(each)) this.tell(`${each.id}: ${each.problem.message}`)
      else this.log(`Erased ${each.id}.`)
    }
    const tried = await tryEach([ids], { act: erase, onTried })
    process.exitCode = exitCodeOfAll(tried)
    return tried.map((each) => (isFailed(each) ? failedErasure.render(each) : each.result))
  }
}

async function requireConsent(service: Connection, ids: readonly string[]): Promise<void> {
  const [only, ...more] = ids
  const who = only !== undefined && more.length === 0 ? await describe(service, only) : undefined
  await requireYes({
    question: `Erase ${who ?? `${ids.length} persons`}? This cannot be undone.`,
    instead:
      'Erasing a person cannot be undone. Run the command again with --yes. Nothing was changed.',
  })
}

async function describe(service: Connection, investor_id: string): Promise<string> {
  const { name, company, partner_customer_ref, organization } = await service.call(
    'investor.show',
    { investor_id },
  )
  const who = name ?? company ?? `the investor ${investor_id}`
  return `${who} (${partner_customer_ref ?? 'erased before'}, ${organization})`
}
