import { v4 } from 'uuid'
import { documents } from '../../contract/documents.ts'
import {
  type Documents,
  listPinnedContracts,
  type PinnedContract,
} from '../../contract/pinned-contract.ts'
import { Problem } from '../../domain/problem.ts'
import {
  type CheckAnswer,
  createAnswerCheck,
  isSkipped,
  outcome,
  skippedForScopes,
  type VerifiedOperation,
} from './check-answer.ts'
import {
  type Answer,
  createClient,
  type Deployment,
  explainNoAnswer,
  isTimeOut,
  NoAnswer,
  requestToken,
  type Send,
} from './client.ts'
import { type Common, findCommon } from './manifest.ts'
import { listReadSteps, type Versions } from './read-steps.ts'
import type { Known, Step } from './step.ts'
import { writeSteps } from './write-steps.ts'

export interface Verification {
  readonly versions: readonly string[]
  /** Versions of the deployment that this program does not have. */
  readonly unknown_versions: readonly string[]
  readonly holds: boolean
  /** Number of skipped operations. */
  readonly passed_over: number
  readonly operations: readonly VerifiedOperation[]
}

interface Choice {
  readonly write: boolean
  /** The time limit for each response. */
  readonly timeoutSeconds: number
}

export async function verifyContract(
  deployment: Deployment,
  { write, timeoutSeconds }: Choice,
  published: Documents = documents,
): Promise<Verification> {
  const send = createClient(deployment.url, timeoutSeconds)
  const answer = await requireAnswer(send, deployment)
  const ours = listPinnedContracts(published)
  const { contracts, unknown } = findCommon(ours, await readManifest(send))
  const checkAnswer = createAnswerCheck(contracts)
  const token = textOf(answer, 'access_token')
  const scope = textOf(answer, 'scope')
  const known = {
    clientId: deployment.clientId,
    ...(token !== undefined && { token }),
    ...(scope !== undefined && { scope }),
    reference: `contract-verify-${v4()}`,
  }
  const run = { send, checkAnswer, token, known }
  const missingScopes = missingIn(scope?.split(' '), contracts)
  return summarize({ contracts, unknown }, [
    await checkAnswer({ operationId: 'issueToken', status: 200 }, answer, {}),
    ...(await runSteps(createJourney({ contracts, ours }, write), { ...run, missingScopes })),
  ])
}

async function requireAnswer(send: Send, deployment: Deployment): Promise<Answer> {
  const answer = await requestToken(send, deployment)
  if (!(answer instanceof NoAnswer)) return answer
  const detail = explainNoAnswer(answer, deployment.url)
  throw new Problem('SERVICE_UNAVAILABLE', detail, { cause: answer.cause })
}

/** Read first, because it says which versions to check against. */
async function readManifest(send: Send): Promise<unknown> {
  const answer = await send({ method: 'GET', path: '/openapi/manifest.json' })
  return answer instanceof NoAnswer ? undefined : answer.body
}

/** A token without a scope is assumed to carry all scopes. */
function missingIn(
  carried: readonly string[] | undefined,
  contracts: readonly PinnedContract[],
): (operationId: string) => readonly string[] {
  return (operationId) => {
    const needed = new Set(contracts.flatMap((contract) => contract.scopesOf(operationId)))
    return carried ? [...needed].filter((scope) => !carried.includes(scope)) : []
  }
}

function textOf({ body }: Answer, name: string): string | undefined {
  const value = (body as Readonly<Record<string, unknown>> | null)?.[name]
  return typeof value === 'string' ? value : undefined
}

function summarize(
  { contracts, unknown }: Common,
  operations: readonly VerifiedOperation[],
): Verification {
  return {
    versions: contracts.map(({ version }) => version),
    unknown_versions: unknown,
    holds: operations.every((operation) => operation.holds),
    passed_over: operations.filter(isSkipped).length,
    operations,
  }
}

function createJourney(versions: Versions, write: boolean): readonly Step[] {
  const steps = [...listReadSteps(versions), ...(write ? writeSteps : [])]
  // A deployment cannot have operations of a newer version.
  return steps.filter(({ operationId }) =>
    versions.contracts.some((contract) => contract.has(operationId)),
  )
}

export interface Run {
  readonly send: Send
  readonly token: string | undefined
  readonly known: Known
  readonly checkAnswer: CheckAnswer
  /** Scopes that the operation needs and the token lacks. */
  readonly missingScopes: (operationId: string) => readonly string[]
}

interface Progress {
  readonly known: Known
  readonly operations: readonly VerifiedOperation[]
  /** Values that could not be read, with the operation that should have provided them. */
  readonly failedSources: Readonly<Record<string, VerifiedOperation>>
  /** Set when no more operations are called. */
  readonly stopReason?: string
}

async function runSteps(steps: readonly Step[], run: Run): Promise<readonly VerifiedOperation[]> {
  let progress: Progress = { known: run.known, operations: [], failedSources: {} }
  for (const step of steps) progress = await runStep(step, run, progress)
  return progress.operations
}

async function runStep(step: Step, run: Run, progress: Progress): Promise<Progress> {
  const skipped = whyNotSent(step, run, progress)
  if (skipped) return record(progress, step, skipped)
  const answer = await request(step, run, progress.known)
  if (answer instanceof NoAnswer) return recordNoAnswer(step, answer, progress)
  const next = record(progress, step, await run.checkAnswer(step, answer, progress.known))
  return { ...next, known: { ...progress.known, ...learnFrom(step, answer) } }
}

function record(progress: Progress, step: Step, operation: VerifiedOperation): Progress {
  const { operations, failedSources } = progress
  const names = isFailedSource(operation) ? (step.provides ?? []) : []
  const here = Object.fromEntries(names.map((name) => [name, operation]))
  return {
    ...progress,
    operations: [...operations, operation],
    failedSources: { ...failedSources, ...here },
  }
}

/** An operation that matches the contract but has no data is not a failure. */
function isFailedSource({ holds, missing_scopes: missing }: VerifiedOperation): boolean {
  return !holds || missing.length > 0
}

function recordNoAnswer(step: Step, answer: NoAnswer, progress: Progress): Progress {
  const { operationId } = step
  const next = record(progress, step, outcome(operationId, null, `no response: ${answer.message}`))
  // A deployment that hangs once will hang again, and each wait is long.
  if (!isTimeOut(answer)) return next
  return { ...next, stopReason: `not called: ${operationId} got no response in time` }
}

function whyNotSent(step: Step, run: Run, progress: Progress): VerifiedOperation | undefined {
  const { known, stopReason } = progress
  const { operationId } = step
  if (stopReason) return outcome(operationId, null, stopReason)
  if (run.token === undefined && needsToken(step, known)) {
    return outcome(operationId, null, 'not called: there is no access token')
  }
  const missing = step.isAnonymous ? [] : run.missingScopes(operationId)
  if (missing.length > 0) return skipForScopes(step, missing)
  return whyInputMissing(step, progress)
}

function whyInputMissing(
  { operationId, needs = [], indispensable }: Step,
  { known, failedSources }: Progress,
) {
  const unknown = needs.filter((name) => !known[name])
  if (unknown.length === 0) return undefined
  const source = unknown.map((name) => failedSources[name]).find((found) => found !== undefined)
  if (!source) return outcome(operationId, null, indispensable?.(known))
  if (source.holds) return skippedForScopes(operationId, source.missing_scopes)
  return outcome(operationId, null, `not called: ${source.operation} differs`)
}

function skipForScopes({ operationId, indispensable }: Step, missing: readonly string[]) {
  if (!indispensable) return skippedForScopes(operationId, missing)
  return outcome(operationId, null, `not called: the token lacks ${missing.join(', ')}`)
}

function needsToken({ path, isAnonymous }: Step, known: Known): boolean {
  return !isAnonymous && path(known).startsWith('/v1/')
}

function request(step: Step, { send, token }: Run, known: Known): Promise<Answer | NoAnswer> {
  const { method, path, headers, body } = step
  const authorization = needsToken(step, known) && { authorization: `Bearer ${token}` }
  return send({
    method,
    path: path(known),
    headers: { ...authorization, ...headers?.(known) },
    body: body?.(known),
  })
}

function learnFrom({ keep }: Step, { status, headers, body }: Answer): Known {
  return keep && status < 300 ? keep(body, headers) : {}
}
