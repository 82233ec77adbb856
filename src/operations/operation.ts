import type { Struct } from 'superstruct'
import type { Parts } from '../domain/parts.ts'
import type { FieldErrors } from '../domain/problem.ts'
import type { Service } from '../usecases/service.ts'

/**
 * Something an operator can do. It is defined once; a command runs it in its own process, through the operator endpoint
 * of a running service, or on a database, and cannot tell which. `Input` and `Output` are JSON, with the snake_case
 * keys that `--json` promises.
 */
export interface Operation<Input, Output> {
  readonly input: Struct<Input, unknown>
  run(service: Service, input: Input): Promise<Output>
  /** What is wrong with the parts of an input that fit its shape, when others do not. */
  findFaults?(service: Service, parts: Parts<Input>): FieldErrors
}

/** One that answers a list, which can be long: it comes in batches, and nobody has to hold all of it. */
export interface ListOperation<Input, Row, Output = readonly Row[]>
  extends Operation<Input, Output> {
  batches(service: Service, input: Input): AsyncIterable<readonly Row[]>
}

/** Ties the type of `run` to its `input` shape, so that neither has to be written twice. */
export function operation<Input, Schema, Output>(definition: {
  readonly input: Struct<Input, Schema>
  run(service: Service, input: Input): Promise<Output>
  findFaults?(service: Service, parts: Parts<Input>): FieldErrors
}): Operation<Input, Output> {
  return definition as unknown as Operation<Input, Output>
}

/** Its `run` collects the batches, for those who want all of a list that they know to be short. */
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
