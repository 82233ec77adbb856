import type { Input, ListName, OperationName, Output, Row } from './operations.ts'

/** Runs operations as one operator, in this process or through the operator endpoint of a service. */
export interface OperationRunner {
  call<Name extends OperationName>(name: Name, input: Input<Name>): Promise<Output<Name>>
  /** Yields batches, because a whole list may not fit into memory. */
  list<Name extends ListName>(name: Name, input: Input<Name>): AsyncIterable<readonly Row<Name>[]>
}
