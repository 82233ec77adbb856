import type { Failure } from 'superstruct'
import { type FieldErrors, Problem } from '../../domain/problem.ts'
import { describeFailure } from './describe-failure.ts'

/** `pathOf` says what a failure is about in the words of whoever sent it; of several about one path, the first one counts. */
export function refuseShape(
  failures: readonly Failure[],
  pathOf: (failure: Failure) => string,
): never {
  const errors: Record<string, string> = {}
  for (const failure of failures) errors[pathOf(failure)] ??= describeFailure(failure)
  throw notValid(errors)
}

function notValid(errors: FieldErrors): Problem {
  return new Problem('VALIDATION_ERROR', `Not valid: ${Object.keys(errors).join(', ')}.`, {
    errors,
  })
}
