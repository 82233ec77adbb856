import type { H3Event } from 'h3'
import type { Failure, Struct } from 'superstruct'
import { Problem } from '../domain/problem.ts'
import { checkShape } from '../operations/shapes/check-shape.ts'
import { listFailures } from '../operations/shapes/list-failures.ts'
import { refuseShape } from '../operations/shapes/refuse-shape.ts'
import { readJson } from './read-json.ts'

export interface ReadShapeOptions {
  /** Put before every path in `errors`. Spec gap: see DECISIONS.md, error keys. */
  readonly prefix?: string
  /** Throws when the thing that the request is about is not the caller's: that answer goes before a 422. */
  readonly requireOwned?: () => Promise<unknown>
}

/** The body, checked once; 413, 415, 400 and 422 in the order of DECISIONS.md, order of checks. */
export async function readShape<Value, Schema>(
  event: H3Event,
  shape: Struct<Value, Schema>,
  options: ReadShapeOptions = {},
): Promise<Value> {
  const [error, value] = checkShape(await readJson(event), shape)
  if (!error) return value
  const failures = listFailures(error)
  rejectUnknownField(failures, options)
  await options.requireOwned?.()
  return refuseShape(failures, (failure) => pathOf(failure, options))
}

function rejectUnknownField(failures: readonly Failure[], options: ReadShapeOptions): void {
  // superstruct reports a field that the shape does not have as one that may never be there.
  const unknown = failures.find((failure) => failure.type === 'never')
  if (unknown) {
    throw new Problem('MALFORMED_REQUEST_BODY', `Unknown field: ${pathOf(unknown, options)}.`)
  }
}

function pathOf(failure: Failure, { prefix }: ReadShapeOptions): string {
  const path = [...(prefix ? [prefix] : []), ...failure.path.map(String)]
  return path.join('.') || 'body'
}
