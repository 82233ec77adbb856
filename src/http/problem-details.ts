import type { Problem } from '../domain/problem.ts'
import { type ProblemCode, problemRow, problemsWithoutCode } from '../domain/problem-code.ts'
import { toWireProblem } from '../wire/problems.ts'

export function statusOf(code: ProblemCode): number {
  return problemRow(code).status
}

export function publicCodeOf(code: ProblemCode): string {
  return problemRow(code).publicCode ?? code
}

export interface Occurrence {
  readonly baseUrl: string
  /** The path of the request, without the query. */
  readonly path: string
  readonly requestId: string
}

/** Renders a problem (RFC 9457), with members in the order of the spec. */
export function renderProblem(refusal: Problem, occurrence: Occurrence): Record<string, unknown> {
  const problem = toWireProblem(refusal)
  const { status, title } = problemRow(problem.code)
  const code = publicCodeOf(problem.code)
  const { errors, requiredScopes } = problem.extra
  return {
    type: typeUri(occurrence.baseUrl, code),
    title,
    status,
    detail: problem.message,
    instance: occurrence.path,
    code,
    trace_id: occurrence.requestId,
    ...(errors && { errors }),
    ...(requiredScopes && { required_scopes: requiredScopes }),
  }
}

/** Renders an internal error, without a code or any detail (spec: Errors, status 500). */
export function renderInternalError(occurrence: Occurrence): Record<string, unknown> {
  const { title, status } = problemsWithoutCode.INTERNAL_SERVER_ERROR
  return {
    type: typeUri(occurrence.baseUrl, 'INTERNAL_SERVER_ERROR'),
    title,
    status,
    detail:
      'The service could not answer this request. Quote the trace_id when you contact support.',
    instance: occurrence.path,
    trace_id: occurrence.requestId,
  }
}

/** The URL of the page that explains a problem. */
export function typeUri(baseUrl: string, name: string): string {
  return `${baseUrl}/errors/${slugOf(name)}`
}

export function slugOf(name: string): string {
  return name.toLowerCase().replaceAll('_', '-')
}
