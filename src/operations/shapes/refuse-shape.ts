import type { Failure } from 'superstruct'
import { notValid } from '../../domain/problem.ts'
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
