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
  /** By name, what could not be learnt, and where. */
  readonly unlearnt: Readonly<Record<string, VerifiedOperation>>
  /** Why nothing more is asked. */
  readonly end?: string
}

export async function walk(
  steps: readonly Step[],
  way: Way,
): Promise<readonly VerifiedOperation[]> {
  let soFar: SoFar = { known: way.known, operations: [], unlearnt: {} }
  for (const step of steps) soFar = await go(step, way, soFar)
  return soFar.operations
}

async function go(step: Step, way: Way, soFar: SoFar): Promise<SoFar> {
  const unasked = whyNotToAsk(step, way, soFar)
  if (unasked) return withOperation(soFar, step, unasked)
  const answer = await take(step, way, soFar.known)
  if (answer instanceof NoAnswer) return withoutAnswer(step, answer, soFar)
  const next = withOperation(soFar, step, await way.measure(step, answer, soFar.known))
  return { ...next, known: { ...soFar.known, ...learn(step, answer) } }
}

function withOperation(soFar: SoFar, step: Step, operation: VerifiedOperation): SoFar {
  const { operations, unlearnt } = soFar
  const names = isUnlearnt(operation) ? (step.provides ?? []) : []
  const here = Object.fromEntries(names.map((name) => [name, operation]))
  return { ...soFar, operations: [...operations, operation], unlearnt: { ...unlearnt, ...here } }
}

/** What was answered as it should be, and has nothing, is no fault. */
function isUnlearnt({ holds, missing_scopes: missing }: VerifiedOperation): boolean {
  return !holds || missing.length > 0
}

function withoutAnswer(step: Step, answer: NoAnswer, soFar: SoFar): SoFar {
  const { operationId } = step
  const next = withOperation(
    soFar,
    step,
    outcome(operationId, null, `no answer: ${answer.message}`),
  )
  // Whoever hangs once will hang again, and each time is waited for.
  if (!isTimeOut(answer)) return next
  return { ...next, end: `not asked: ${operationId} had no answer in time` }
}

function whyNotToAsk(step: Step, way: Way, soFar: SoFar): VerifiedOperation | undefined {
  const { known, end } = soFar
  const { operationId } = step
  if (end) return outcome(operationId, null, end)
  if (way.token === undefined && needsToken(step, known)) {
    return outcome(operationId, null, 'not asked: there is no access token')
  }
  const missing = step.isAnonymous ? [] : way.missingScopes(operationId)
  if (missing.length > 0) return unseen(step, missing)
  return whyUnknown(step, soFar)
}

function whyUnknown({ operationId, needs = [], indispensable }: Step, { known, unlearnt }: SoFar) {
  const unknown = needs.filter((name) => !known[name])
  if (unknown.length === 0) return undefined
  const source = unknown.map((name) => unlearnt[name]).find((found) => found !== undefined)
  if (!source) return outcome(operationId, null, indispensable?.(known))
  if (source.holds) return lacking(operationId, source.missing_scopes)
  return outcome(operationId, null, `not asked: ${source.operation} differs`)
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
