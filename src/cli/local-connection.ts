import type { OpenedService } from '../open-service.ts'
import { runOperation } from '../operations/run-operation.ts'
import type { Connection } from './connection.ts'

/** Runs operations in this process, on a store that it has opened itself. */
export function createLocalConnection({ service, close }: OpenedService): Connection {
  return {
    call: (name, input) => runOperation(service, name, input) as never,
    backup: () => service.upkeep.backup(),
    close,
  }
}
