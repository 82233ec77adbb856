import type { Failure } from 'superstruct'
import type { FieldErrors } from '../../domain/problem.ts'
import { unsound } from '../../usecases/require-sound.ts'
import { mostFailures } from './check-shape.ts'
import { describeFailure } from './describe-failure.ts'

/**
 * `pathOf` gives the path of a failure as the sender knows it. Of several failures at one path, only the first is kept.
 * `further` holds what is wrong with the parts that did fit the shape.
 */
export function refuseShape(
  failures: readonly Failure[],
  pathOf: (failure: Failure) => string,
  further: FieldErrors = {},
): never {
  const errors: Record<string, string> = {}
  for (const failure of failures) errors[pathOf(failure)] ??= describeFailure(failure)
  for (const [path, fault] of Object.entries(further)) errors[path] ??= fault
  throw unsound(Object.fromEntries(Object.entries(errors).slice(0, mostFailures)))
}
