import { Problem } from '../../domain/problem.ts'
import { parsePath, renderFault } from './faults.ts'
import { fileProblem } from './file-problem.ts'
import type { LocatedDocument, Path } from './located-document.ts'

export interface Origin {
  readonly document: LocatedDocument
  readonly path: Path
}

/** What the service refused of a file's content, by file and line. Any other error stays as it is. */
export function explainRefusal(
  error: unknown,
  originOf: (path: Path) => Origin | undefined,
): unknown {
  if (!(error instanceof Problem) || !error.extra.errors) return error
  const faults = Object.entries(error.extra.errors)
  const lines = faults.map(([path, fault]) => {
    const origin = originOf(parsePath(path))
    return origin ? renderFault(origin.document, { path: origin.path, fault }) : `${path} ${fault}`
  })
  // A list of the paths says nothing that the lines do not say.
  const isSaid =
    error.code === 'VALIDATION_ERROR' || faults.some(([, fault]) => fault === error.message)
  return fileProblem(isSaid ? lines : [error.message, ...lines], error.code)
}
