import type { Struct } from 'superstruct'
import type { Service } from '../usecases/service.ts'

/**
 * Something an operator can do. It is defined once; a command runs it in its own process, through the operator endpoint
 * of a running service, or on a database, and cannot tell which. `Input` and `Output` are JSON, with the snake_case
 * keys that `--json` promises.
 */
export interface Operation<Input, Output> {
  readonly input: Struct<Input, unknown>
  run(service: Service, input: Input): Promise<Output>
}

/** Ties the type of `run` to its `input` shape, so that neither has to be written twice. */
export function operation<Input, Schema, Output>(definition: {
  readonly input: Struct<Input, Schema>
  run(service: Service, input: Input): Promise<Output>
}): Operation<Input, Output> {
  return definition as unknown as Operation<Input, Output>
}
