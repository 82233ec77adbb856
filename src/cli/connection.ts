import type { Input, OperationName, Output } from '../operations/operations.ts'

/** The service as a command sees it, wherever it runs. */
export interface Connection {
  call<Name extends OperationName>(name: Name, input: Input<Name>): Promise<Output<Name>>
  backup(): AsyncIterable<Uint8Array>
  close(): Promise<void>
}
