import type { Struct } from 'superstruct'
import type { DeepPartial, FieldErrors } from '../domain/problem.ts'
import type { Service } from '../usecases/service.ts'

/**
 * An action of an operator. A command runs it in its own process, through the operator endpoint of
 * a running service, or on a database, without knowing which. `Input` and `Output` are JSON with
 * the snake_case keys that `--json` promises.
 */
export interface Operation<Input, Output> {
  readonly input: Struct<Input, unknown>
  run(service: Service, input: Input): Promise<Output>
  /** Checks the parts of an input that fit its shape while other parts do not. */
  findErrors?(service: Service, parts: DeepPartial<Input>): FieldErrors
}

/** A whole list may not fit into memory, so it comes in batches. */
export interface ListOperation<Input, Row, Output = readonly Row[]>
  extends Operation<Input, Output> {
  batches(service: Service, input: Input): AsyncIterable<readonly Row[]>
}

/** Infers the type of `run` from its `input` shape. */
export function operation<Input, Schema, Output>(definition: {
  readonly input: Struct<Input, Schema>
  run(service: Service, input: Input): Promise<Output>
  findErrors?(service: Service, parts: DeepPartial<Input>): FieldErrors
}): Operation<Input, Output> {
  return definition as unknown as Operation<Input, Output>
}

/** `run` collects the batches of a list that is known to be short. */
export function listOperation<Input, Schema, Row>(definition: {
  readonly input: Struct<Input, Schema>
  batches(service: Service, input: Input): AsyncIterable<readonly Row[]>
}): ListOperation<Input, Row> {
  const run = async (service: Service, input: Input) => {
    const rows: Row[] = []
    for await (const batch of definition.batches(service, input)) rows.push(...batch)
    return rows
  }
  return { ...definition, run } as unknown as ListOperation<Input, Row>
}
