import type { Struct } from 'superstruct'
import type { OperatorRole } from '../domain/operators/operator.ts'
import type { DeepPartial, FieldErrors } from '../domain/problem.ts'
import type { ProblemCode } from '../domain/problem-code.ts'
import { mapInTurns } from '../machine/time.ts'
import type { Service } from '../usecases/service.ts'
import { type Answer, isManyOf, many } from '../wire/view.ts'

/**
 * What everybody has to know of an operation. The operators' document, the reference of JSON
 * output, the check of roles and the console are made from it.
 */
export interface Description {
  /**
   * The lowest role that may run it. Operations that only read are for viewers, unless they return
   * secrets or everything.
   */
  readonly role: OperatorRole
  /** Whether the audit has an entry, although viewers may run it. */
  readonly isNoted?: true
  readonly summary: string
  readonly note?: string
  /** Refusals beyond those that every operation can answer. */
  readonly problems?: readonly ProblemCode[]
  readonly answer: Answer<never, unknown>
}

/**
 * An action of an operator. A command runs it in its own process, through the operator endpoint of
 * a running service, or on a database, without knowing which. `Input` and `Output` are JSON with
 * the snake_case keys that `--json` promises.
 */
export interface Operation<Input, Output> extends Description {
  readonly input: Struct<Input, unknown>
  readonly answer: Answer<never, Output>
  run(service: Service, input: Input): Promise<Output>
  /** Checks the parts of an input that fit its shape while other parts do not. */
  findErrors?(service: Service, parts: DeepPartial<Input>): FieldErrors
}

/** A whole list may not fit into memory, so it comes in batches. */
export interface ListOperation<Input, Row, Output = readonly Row[]>
  extends Operation<Input, Output> {
  batches(service: Service, input: Input): AsyncIterable<readonly Row[]>
}

/** `run` returns what the answer is made from. */
export function operation<Input, Schema, Source, Output>({
  run,
  ...definition
}: Omit<Description, 'answer'> & {
  readonly input: Struct<Input, Schema>
  readonly answer: Answer<Source, Output>
  run(service: Service, input: Input): Promise<Source>
  findErrors?(service: Service, parts: DeepPartial<Input>): FieldErrors
}): Operation<Input, Output> {
  const { answer } = definition
  return {
    ...definition,
    run: async (service: Service, input: Input) => {
      const source = await run(service, input)
      // While a long list is rendered, other requests get their turn.
      return isManyOf(answer) && Array.isArray(source)
        ? mapInTurns(source, answer.each.render)
        : answer.render(source)
    },
  } as unknown as Operation<Input, Output>
}

/** `batches` yields what the rows are made from, and `run` collects a list that is known to be short. */
export function listOperation<Input, Schema, Source, Row>({
  row,
  batches,
  ...definition
}: Omit<Description, 'answer'> & {
  readonly input: Struct<Input, Schema>
  readonly row: Answer<Source, Row>
  batches(service: Service, input: Input): AsyncIterable<readonly Source[]>
}): ListOperation<Input, Row> {
  const answer = many(row)
  async function* render(service: Service, input: Input) {
    for await (const batch of batches(service, input)) yield answer.render(batch)
  }
  const run = async (service: Service, input: Input) => {
    const rows: Row[] = []
    for await (const batch of render(service, input)) rows.push(...batch)
    return rows
  }
  return { ...definition, answer, batches: render, run } as unknown as ListOperation<Input, Row>
}
