import type { OpenedService } from '../open-service.ts'
import { runOperation } from '../operations/run-operation.ts'
import type { Connection } from './connection.ts'
import { explainStoreFailure } from './explain-system-error.ts'

/** Runs operations in this process, on a store that it has opened itself. */
export function createLocalConnection(
  { service, close }: OpenedService,
  dataDirectory?: string,
): Connection {
  return {
    call: (name, input) =>
      runOperation(service, name, input).catch((error) => {
        throw explainStoreFailure(error, dataDirectory)
      }) as never,
    backup: () => service.upkeep.backup(),
    close,
  }
}
