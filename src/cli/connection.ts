import type { Input, ListName, OperationName, Output, Row } from '../operations/operations.ts'

/** The service, in this process or in another process. */
export interface Connection {
  call<Name extends OperationName>(name: Name, input: Input<Name>): Promise<Output<Name>>
  /** Yields batches, because a whole list may not fit into memory. */
  list<Name extends ListName>(name: Name, input: Input<Name>): AsyncIterable<readonly Row<Name>[]>
  backup(): AsyncIterable<Uint8Array>
  /** Calls any path of the operator endpoint of a running service; undefined without one. */
  readonly send?: (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: object,
  ) => Promise<unknown>
  close(): Promise<void>
  /** Advice after a failed webhook; undefined if a running service sent the webhook. */
  readonly webhookAdvice?: string | undefined
}
