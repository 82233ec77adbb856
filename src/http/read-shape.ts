import type { H3Event } from 'h3'
import type { Failure, Struct } from 'superstruct'
import type { Parts } from '../domain/parts.ts'
import { type FieldErrors, Problem } from '../domain/problem.ts'
import { checkShape } from '../operations/shapes/check-shape.ts'
import { refuseShape } from '../operations/shapes/refuse-shape.ts'
import { soundParts } from '../operations/shapes/sound-parts.ts'
import { readJson } from './read-json.ts'

export interface ReadShapeOptions<Value> {
  /** Put before every path in `errors`. Spec gap: see DECISIONS.md, error keys. */
  readonly prefix?: string
  /** Said of an unknown field of this name in the body itself. */
  readonly hints?: Readonly<Record<string, string>>
  /**
   * What is wrong with the parts that do fit the shape, when others do not. Throws when the thing that the request is
   * about is not the caller's: that answer goes before a 422.
   */
  readonly findFaults: (parts: Parts<Value>) => Promise<FieldErrors>
}

/** The body, checked once; 413, 415, 400 and 422 in the order of DECISIONS.md, order of checks. */
export async function readShape<Value, Schema>(
  event: H3Event,
  shape: Struct<Value, Schema>,
  options: ReadShapeOptions<Value>,
): Promise<Value> {
  const body = await readJson(event)
  const [failures, value] = checkShape(body, shape)
  if (!failures) return value
  const toPath = (failure: Failure) => pathOf(failure, options.prefix)
  rejectUnknownField(failures, toPath, options.hints)
  const further = await options.findFaults(soundParts<Value>(body, failures))
  return refuseShape(failures, toPath, further)
}

function rejectUnknownField(
  failures: readonly Failure[],
  toPath: (failure: Failure) => string,
  hints: Readonly<Record<string, string>> = {},
): void {
  // superstruct reports a field that the shape does not have as one that may never be there.
  const unknown = failures.find((failure) => failure.type === 'never')
  if (!unknown) return
  const name = unknown.path.join('.')
  const hint = Object.hasOwn(hints, name) ? ` ${hints[name]}` : ''
  throw new Problem('MALFORMED_REQUEST_BODY', `Unknown field: ${toPath(unknown)}.${hint}`)
}

function pathOf({ path }: Failure, prefix?: string): string {
  return [...(prefix ? [prefix] : []), ...path.map(String)].join('.') || 'body'
}
