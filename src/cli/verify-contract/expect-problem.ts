import { type Body, findDiffering, findFirst, isBody } from './expectations.ts'
import type { Answer } from './pinned-contract.ts'
import type { Expectation, Known } from './step.ts'

/** Every problem says which it is, where it occurred, and by which id it is found again. */
export function expectProblem(answer: Answer, known: Known): string | undefined {
  const { body, status } = answer
  if (!isBody(body) || typeof body['code'] !== 'string') return undefined
  return findFirst([
    () => findTypeFault(body, known),
    () => findInstanceFault(body, answer),
    () => findTraceFault(body, answer),
    () => findDiffering({ status }, body),
    () => (body['errors'] && status !== 422 ? `/errors is there, with ${status}` : undefined),
  ])
}

/** By the issuer it is known what the deployment takes for its own address. */
function findTypeFault({ type, code }: Body, { issuer }: Known): string | undefined {
  const end = `/errors/${String(code).toLowerCase().replaceAll('_', '-')}`
  if (issuer !== undefined) return findDiffering({ type: `${issuer}${end}` }, { type })
  const isOfCode = typeof type === 'string' && type.endsWith(end)
  return isOfCode ? undefined : `/type is not that of ${code}`
}

/** Where --url has a path of its own, the service may not see it. */
function findInstanceFault({ instance }: Body, { address }: Answer): string | undefined {
  const path = address.pathname.slice(address.pathname.lastIndexOf('/v1/'))
  return instance === address.pathname ? undefined : findDiffering({ instance: path }, { instance })
}

function findTraceFault({ trace_id }: Body, { headers }: Answer): string | undefined {
  const isSame = trace_id === undefined || trace_id === headers.get('x-request-id')
  return isSame ? undefined : '/trace_id is not the X-Request-Id of the answer'
}

/** Those fields, by the paths that were sent, and no other; none, for a parameter. */
export function expectErrors(...paths: readonly string[]): Expectation {
  return ({ body }) => {
    const { errors } = body as { readonly errors?: Body }
    if (paths.length === 0) return errors && '/errors is there, for a parameter'
    return findDiffering({ errors: paths }, { errors: Object.keys(errors ?? {}) })
  }
}

export function expectNamed(field: string): Expectation {
  return ({ body }) => {
    const { detail } = body as { readonly detail?: unknown }
    return String(detail).includes(field) ? undefined : `/detail does not name ${field}`
  }
}
