import { askDeployment, askForToken, type Deployment } from './ask-deployment.ts'
import { createJourney, type Known, type Step, startKnowing } from './journey.ts'
import { type Answer, listPinnedContracts } from './pinned-contract.ts'

export interface VerifiedOperation {
  readonly operation: string
  /** Null when it was not asked. */
  readonly status: number | null
  readonly holds: boolean
  readonly difference: string | null
}

export interface Verification {
  readonly versions: readonly string[]
  readonly holds: boolean
  readonly operations: readonly VerifiedOperation[]
}

/** Asks a deployment, and measures each of its answers by every published version of the contract. */
export async function verifyContract(
  deployment: Deployment,
  { write }: { readonly write: boolean },
): Promise<Verification> {
  const contracts = listPinnedContracts()
  const operations: VerifiedOperation[] = []
  const verify = (operationId: string, expected: number, answer: Answer) => {
    const difference = findFirst([
      () => unexpected(expected, answer),
      ...contracts.map((contract) => () => contract.findDifference(operationId, answer)),
    ])
    operations.push(outcome(operationId, answer.status, difference))
  }
  const tokenAnswer = await askForToken(deployment)
  verify('issueToken', 200, tokenAnswer)
  const token = tokenOf(tokenAnswer)
  let known = startKnowing()
  for (const step of createJourney(write)) {
    if (token === undefined && step.path(known).startsWith('/v1/')) {
      operations.push(outcome(step.operationId, null, 'not asked: there is no access token'))
      continue
    }
    const answer = await take(step, { url: deployment.url, token, known })
    verify(step.operationId, step.status, answer)
    known = { ...known, ...learn(step, answer) }
  }
  const holds = operations.every((operation) => operation.holds)
  return { versions: contracts.map(({ version }) => version), holds, operations }
}

interface Way {
  readonly url: string
  readonly token: string | undefined
  readonly known: Known
}

function take({ method, path, body }: Step, { url, token, known }: Way): Promise<Answer> {
  const headers = path(known).startsWith('/v1/') ? { authorization: `Bearer ${token}` } : {}
  return askDeployment(url, { method, path: path(known), headers, body: body?.(known) })
}

function learn({ keep }: Step, { status, body }: Answer): Known {
  const isObject = typeof body === 'object' && body !== null
  return keep && status < 300 && isObject ? keep(body as never) : {}
}

function tokenOf({ body }: Answer): string | undefined {
  const { access_token } = (body ?? {}) as { access_token?: unknown }
  return typeof access_token === 'string' ? access_token : undefined
}

function unexpected(expected: number, { status, body }: Answer): string | undefined {
  if (status === expected) return undefined
  const { code, error } = (body ?? {}) as { code?: string; error?: string }
  return `answered ${status} ${code ?? error ?? ''}`.trim().concat(` instead of ${expected}`)
}

function findFirst(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const difference = check()
    if (difference !== undefined) return difference
  }
  return undefined
}

function outcome(
  operation: string,
  status: number | null,
  difference: string | undefined,
): VerifiedOperation {
  return { operation, status, holds: difference === undefined, difference: difference ?? null }
}
