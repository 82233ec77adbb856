import type { Input, ListName, OperationName, Output, Row } from '../operations/operations.ts'

/** The service as a command sees it, wherever it runs. */
export interface Connection {
  call<Name extends OperationName>(name: Name, input: Input<Name>): Promise<Output<Name>>
  /** A list as it comes: nobody has to hold all of it. */
  list<Name extends ListName>(name: Name, input: Input<Name>): AsyncIterable<readonly Row<Name>[]>
  backup(): AsyncIterable<Uint8Array>
  close(): Promise<void>
  /** What to say where a webhook could not be sent; undefined where the service sends it. */
  readonly webhookAdvice?: string | undefined
}
