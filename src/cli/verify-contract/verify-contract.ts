import { Problem } from '../../domain/problem.ts'
import { askDeployment, askForToken, type Deployment } from './ask-deployment.ts'
import { always } from './expectations.ts'
import { createJourney, startKnowing } from './journey.ts'
import { type Answer, listPinnedContracts } from './pinned-contract.ts'
import type { Known, Step } from './step.ts'

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
  /** How many were not asked, for the deployment has nothing for them. */
  readonly passed_over: number
  readonly operations: readonly VerifiedOperation[]
}

/** Asks a deployment, and measures each of its answers by every published version of the contract. */
export async function verifyContract(
  deployment: Deployment,
  { write }: { readonly write: boolean },
): Promise<Verification> {
  const contracts = listPinnedContracts()
  const measure = (step: Measured, answer: Answer, known: Known) => {
    const difference = findFirst([
      () => unexpected(step, answer),
      ...contracts.map((contract) => () => contract.findDifference(step.operationId, answer)),
      ...[...always, ...(step.expect ?? [])].map((expect) => () => expect(answer, known)),
    ])
    return outcome(step.operationId, answer.status, difference)
  }
  const tokenAnswer = await askForToken(deployment)
  const way = { url: deployment.url, token: tokenOf(tokenAnswer), measure }
  const operations = [
    measure({ operationId: 'issueToken', status: 200 }, tokenAnswer, {}),
    ...(await walk(createJourney(write), way)),
  ]
  return {
    versions: contracts.map(({ version }) => version),
    holds: operations.every((operation) => operation.holds),
    passed_over: operations.filter(isPassedOver).length,
    operations,
  }
}

/** What a deployment has nothing for, such as pictures. */
function isPassedOver({ status, holds }: VerifiedOperation): boolean {
  return status === null && holds
}

type Measured = Pick<Step, 'operationId' | 'status' | 'text' | 'expect'>

interface Way {
  readonly url: string
  readonly token: string | undefined
  readonly measure: (step: Measured, answer: Answer, known: Known) => VerifiedOperation
}

async function walk(steps: readonly Step[], way: Way): Promise<VerifiedOperation[]> {
  const operations: VerifiedOperation[] = []
  let known = startKnowing()
  for (const step of steps) {
    const unasked = whyNotToAsk(step, { known, token: way.token })
    if (unasked) {
      operations.push(unasked)
      continue
    }
    const answer = await take(step, way, known).catch(noAnswer)
    if (!answer) {
      operations.push(outcome(step.operationId, null, unanswered))
      continue
    }
    operations.push(way.measure(step, answer, known))
    known = { ...known, ...learn(step, answer) }
  }
  return operations
}

const unanswered = 'no answer: the connection broke off, or 30 seconds had passed'

function noAnswer(error: unknown): undefined {
  if (!(error instanceof Problem) || error.code !== 'SERVICE_UNAVAILABLE') throw error
}

interface SoFar {
  readonly token: string | undefined
  readonly known: Known
}

function whyNotToAsk(step: Step, { token, known }: SoFar): VerifiedOperation | undefined {
  const { operationId, needs, indispensable } = step
  if (token === undefined && needsToken(step, known)) {
    return outcome(operationId, null, 'not asked: there is no access token')
  }
  return needs && !known[needs] ? outcome(operationId, null, indispensable) : undefined
}

function needsToken({ path, isAnonymous }: Step, known: Known): boolean {
  return !isAnonymous && path(known).startsWith('/v1/')
}

function take(step: Step, { url, token }: Way, known: Known): Promise<Answer> {
  const { method, path, headers, body } = step
  const authorization = needsToken(step, known) && { authorization: `Bearer ${token}` }
  return askDeployment(url, {
    method,
    path: path(known),
    headers: { ...authorization, ...headers?.(known) },
    body: body?.(known),
  })
}

function learn({ keep }: Step, { status, headers, body }: Answer): Known {
  const isObject = typeof body === 'object' && body !== null
  return keep && status < 300 && isObject ? keep(body as never, headers) : {}
}

function tokenOf({ body }: Answer): string | undefined {
  const { access_token } = (body ?? {}) as { access_token?: unknown }
  return typeof access_token === 'string' ? access_token : undefined
}

function unexpected(expected: Measured, { status, text, body }: Answer): string | undefined {
  if (status !== expected.status) {
    const { code, error } = (body ?? {}) as { code?: string; error?: string }
    const answered = ['answered', status, code ?? error].filter(Boolean).join(' ')
    return `${answered} instead of ${expected.status}`
  }
  const isAsPublished = expected.text === undefined || expected.text === text
  return isAsPublished ? undefined : 'is not the document that was published'
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
