import { Flags } from '@oclif/core'
import { timeFlag } from '../../src/cli/event-flags.ts'
import { listFlags } from '../../src/cli/list-output.ts'
import { operationCommand } from '../../src/cli/service-command.ts'
import { actorKinds } from '../../src/domain/audit/audit-entry.ts'

export default class AuditList extends operationCommand('audit.list') {
  static override examples = [
    '<%= config.bin %> <%= command.id %> --operator maria --since 2h',
    '<%= config.bin %> <%= command.id %> --refused --since 24h',
    '<%= config.bin %> <%= command.id %> --order 5d3b8a0e-4f0c-5c1e-9a55-0c3f5f5d2f11 --json',
  ]
  static override flags = {
    order: Flags.string({ helpValue: 'ID', description: 'Only entries about this order.' }),
    operator: Flags.string({
      helpValue: 'NAME',
      description: 'Only entries of this operator; `local` is the local administrator.',
    }),
    actor: Flags.option({
      options: actorKinds,
      description:
        'Only entries by this kind of actor: operators, partner clients, or the service itself.',
    })(),
    refused: Flags.boolean({ description: 'Only operations that were refused.' }),
    since: timeFlag('Only entries at or after this time'),
    until: timeFlag('Only entries before this time'),
    ...listFlags,
  }

  async run() {
    const { flags } = await this.parse(AuditList)
    const { order, operator, actor, refused, since, until } = flags
    await this.showList(flags, {
      read: async ({ limit }) => {
        const service = await this.connect(flags)
        const filter = { order, operator, actor, refused, since, until }
        return service.list('audit.list', { ...filter, limit })
      },
      sorts: [],
      empty:
        'No entries yet. Each change by an operator or a partner adds one; `coopshare organization create NAME` would be the first.',
      columns: {
        TIME: 'at',
        WHO: ({ actor: { name, organization } }) =>
          organization === null ? name : `${name} (${organization})`,
        ROLE: ({ actor }) => actor.role ?? actor.kind,
        OPERATION: 'operation',
        OUTCOME: ({ code, outcome }) => code ?? outcome,
        ABOUT: ({ subjects }) => Object.values(subjects)[0] ?? null,
      },
      wide: { VIA: 'via', REQUEST: 'request_id' },
    })
  }
}
