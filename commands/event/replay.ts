import { Args, Flags } from '@oclif/core'
import { exitCodeOfAll } from '../../src/cli/bulk.ts'
import { eventFilterFlags } from '../../src/cli/event-flags.ts'
import { startProgress } from '../../src/cli/output.ts'
import type { RenderedReplay } from '../../src/cli/replay-report.ts'
import { ServiceCommand } from '../../src/cli/service-command.ts'
import { invalid } from '../../src/config/common-flags.ts'
import { type ReplaySelection, replayEvents } from '../../src/operations/bulk/replay-events.ts'
import { either, many } from '../../src/wire/view.ts'

export default class EventReplay extends ServiceCommand<RenderedReplay> {
  static override summary = 'Send events again, selected by id or by filter.'
  static override description =
    'The service sends each event again to every endpoint that has received it or for which its delivery is dead. The body stays the same; the signature is new.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 5f0c7a52-6d0c-5b8e-9a55-0c3f5f5d2f11',
    '<%= config.bin %> <%= command.id %> --dead --organization "Demo Bank" --since 2h --dry-run',
  ]
  static override args = {
    events: Args.string({ multiple: true, ignoreStdin: true, description: 'Event ids.' }),
  }
  static override flags = {
    dead: Flags.boolean({ description: 'Only deliveries that failed permanently.' }),
    mail: Flags.boolean({
      dependsOn: ['dead'],
      description: 'With --dead: only e-mails to investors.',
    }),
    ...eventFilterFlags,
    'dry-run': Flags.boolean({ description: 'Only show what would be sent again.' }),
  }

  override async output() {
    const { failedEvent } = await import('../../src/cli/errors.ts')
    const { replayReport } = await import('../../src/cli/replay-report.ts')
    const { replayedEvent } = await import('../../src/operations/events.ts')
    return {
      ...either(replayedEvent, many(either(replayedEvent, failedEvent)), replayReport),
      note: 'One object if you give one id, a list if you give several ids, and a report if you give a filter.',
    }
  }

  async run() {
    const { args, flags } = await this.parse(EventReplay)
    const { dead, mail, organization, type, since, until, limit, 'dry-run': dryRun = false } = flags
    const filter = { dead, mail, organization, type, since, until, limit }
    const request = { ids: args.events ?? [], filter, dryRun }
    requireOneWay(request)
    const service = await this.connect(flags)
    const { describeReplay, renderReplay } = await import('../../src/cli/replay-report.ts')
    let bar: Awaited<ReturnType<typeof startProgress>>
    const onBegin = async (count: number) => {
      bar = await startProgress(count)
      return () => bar?.increment()
    }
    const report = await replayEvents(service, { ...request, onBegin }).finally(() => bar?.stop())
    const [failed] = report.failed
    if (failed && request.ids.length === 1) throw failed.problem
    this.log(describeReplay(request, report))
    for (const { id, problem } of report.failed) this.tell(`${id}: ${problem.message}`)
    process.exitCode = exitCodeOfAll(report.failed)
    return renderReplay(request, report)
  }
}

function requireOneWay({ ids, filter }: ReplaySelection): void {
  const { dead, mail: _, limit, ...which } = filter
  const isNarrowed = Object.values(which).some((part) => part !== undefined)
  const isRight = ids.length > 0 ? !isNarrowed && limit === undefined : isNarrowed || dead
  if (isRight) return
  throw invalid(
    'Give either ids of events, or at least one of --dead, --organization, --type, --since and --until.',
  )
}
