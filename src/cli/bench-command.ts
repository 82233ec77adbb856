import { Flags } from '@oclif/core'
import { Problem } from '../domain/problem.ts'
import type { Connection } from './connection.ts'
import { type ConnectionFlags, ServiceCommand } from './service-command.ts'

type Send = NonNullable<Connection['send']>

/** Commands of the bench need a running service, because its clock and its faults are in memory. */
export abstract class BenchCommand extends ServiceCommand {
  protected async reach(flags: ConnectionFlags): Promise<Send> {
    const { findRunningService } = await import('./connect.ts')
    const service = await findRunningService(await this.connectOptions(flags))
    if (service?.send) return service.send
    throw new Problem(
      'SERVICE_UNAVAILABLE',
      'No service is running on this data directory. Start one with `coopshare serve --bench`, or name it by --operator-url.',
    )
  }
}

export const clockTimeoutFlag = Flags.string({
  helpValue: 'TIME',
  description: 'How long to wait for what is due. Default: 30s.',
})
