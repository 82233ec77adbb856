import { type Ask, isTimeOut, NoAnswer } from './ask-deployment.ts'
import type { Measure } from './measure.ts'
import type { Answer } from './pinned-contract.ts'
import type { Known, Step } from './step.ts'
import { lacking, outcome, type VerifiedOperation } from './verified-operation.ts'

export interface Way {
  readonly ask: Ask
  readonly token: string | undefined
  readonly known: Known
  readonly measure: Measure
  /** Those that an operation needs and the token has not. */
  readonly missingScopes: (operationId: string) => readonly string[]
}

interface SoFar {
  readonly known: Known
  readonly operations: readonly VerifiedOperation[]
  /** Why nothing more is asked. */
  readonly end?: string
}

export async function walk(
  steps: readonly Step[],
  way: Way,
): Promise<readonly VerifiedOperation[]> {
  let soFar: SoFar = { known: way.known, operations: [] }
  for (const step of steps) soFar = await go(step, way, soFar)
  return soFar.operations
}

async function go(step: Step, way: Way, soFar: SoFar): Promise<SoFar> {
  const unasked = whyNotToAsk(step, way, soFar)
  if (unasked) return withOperation(soFar, unasked)
  const answer = await take(step, way, soFar.known)
  if (answer instanceof NoAnswer) return withoutAnswer(step, answer, soFar)
  const next = withOperation(soFar, await way.measure(step, answer, soFar.known))
  return { ...next, known: { ...soFar.known, ...learn(step, answer) } }
}

function withOperation(soFar: SoFar, operation: VerifiedOperation): SoFar {
  return { ...soFar, operations: [...soFar.operations, operation] }
}

function withoutAnswer({ operationId }: Step, answer: NoAnswer, soFar: SoFar): SoFar {
  const next = withOperation(soFar, outcome(operationId, null, `no answer: ${answer.message}`))
  // Whoever hangs once will hang again, and each time is waited for.
  if (!isTimeOut(answer)) return next
  return { ...next, end: `not asked: ${operationId} had no answer in time` }
}

function whyNotToAsk(step: Step, way: Way, { known, end }: SoFar): VerifiedOperation | undefined {
  const { operationId, needs = [], indispensable } = step
  if (end) return outcome(operationId, null, end)
  if (way.token === undefined && needsToken(step, known)) {
    return outcome(operationId, null, 'not asked: there is no access token')
  }
  const missing = step.isAnonymous ? [] : way.missingScopes(operationId)
  if (missing.length > 0) return unseen(step, missing)
  if (needs.every((name) => known[name])) return undefined
  return outcome(operationId, null, indispensable?.(known))
}

function unseen({ operationId, indispensable }: Step, missing: readonly string[]) {
  if (!indispensable) return lacking(operationId, missing)
  return outcome(operationId, null, `not asked: the token lacks ${missing.join(', ')}`)
}

function needsToken({ path, isAnonymous }: Step, known: Known): boolean {
  return !isAnonymous && path(known).startsWith('/v1/')
}

function take(step: Step, { ask, token }: Way, known: Known): Promise<Answer | NoAnswer> {
  const { method, path, headers, body } = step
  const authorization = needsToken(step, known) && { authorization: `Bearer ${token}` }
  return ask({
    method,
    path: path(known),
    headers: { ...authorization, ...headers?.(known) },
    body: body?.(known),
  })
}

function learn({ keep }: Step, { status, headers, body }: Answer): Known {
  return keep && status < 300 ? keep(body, headers) : {}
}
