import { Problem, type ProblemCode } from '../../domain/problem.ts'

const shownFaults = 20

/** What is wrong with files, a line for each fault: file, line of the file, path, what is wrong. */
export function fileProblem(
  faults: readonly string[],
  code: ProblemCode = 'VALIDATION_ERROR',
): Problem {
  const shown = faults.slice(0, shownFaults)
  const rest = faults.length - shown.length
  return new Problem(code, [...shown, ...(rest > 0 ? [`... and ${rest} more`] : [])].join('\n'))
}
