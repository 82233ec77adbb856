import { v4 } from 'uuid'
import { documents } from '../../contract/documents.ts'
import { type Documents, listPinnedContracts } from '../../contract/pinned-contract.ts'
import { Problem } from '../../domain/problem.ts'
import { bool, count, listOf, plain, type Rendered, texts } from '../../wire/view.ts'
import {
  type CheckAnswer,
  createAnswerCheck,
  isSkipped,
  outcome,
  skippedForScopes,
  type VerifiedOperation,
  verifiedOperation,
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
import { findCommon } from './manifest.ts'
import { listReadSteps } from './read-steps.ts'
import type { Known, Step } from './step.ts'
import { writeSteps } from './write-steps.ts'

export const verifiedContract = plain('Verified contract', {
  versions: texts('Versions of the contract against which the responses were checked.'),
  unknown_versions: texts('Versions that the deployment has and this program lacks.'),
  holds: bool('True if no response differs from the contract.'),
  passed_over: count('Number of operations that were skipped.'),
  operations: listOf(verifiedOperation, 'The operations, in sequence.'),
})
export type Verification = Rendered<typeof verifiedContract>

export async function verifyContract(
  deployment: Deployment,
  // The time limit is for each response.
  { write, timeoutSeconds }: { readonly write: boolean; readonly timeoutSeconds: number },
  published: Documents = documents,
): Promise<Verification> {
  const send = createClient(deployment.url, timeoutSeconds)
  const answer = await requestToken(send, deployment)
  if (answer instanceof NoAnswer) {
    const detail = explainNoAnswer(answer, deployment.url)
    throw new Problem('SERVICE_UNAVAILABLE', detail, { cause: answer.cause })
  }
  const ours = listPinnedContracts(published)
  // Read first, because it says which versions to check against.
  const manifest = await send({ method: 'GET', path: '/openapi/manifest.json' })
  const theirs = manifest instanceof NoAnswer ? undefined : manifest.body
  const { contracts, unknown } = findCommon(ours, theirs)
  const checkAnswer = createAnswerCheck(contracts)
  const token = textOf(answer, 'access_token')
  const scope = textOf(answer, 'scope')
  const known = {
    clientId: deployment.clientId,
    ...(token !== undefined && { token }),
    ...(scope !== undefined && { scope }),
    reference: `contract-verify-${v4()}`,
  }
  const carried = scope?.split(' ')
  const missingScopes = (operationId: string) => {
    const needed = new Set(contracts.flatMap((contract) => contract.scopesOf(operationId)))
    // A token without a scope is assumed to carry all scopes.
    return carried ? [...needed].filter((each) => !carried.includes(each)) : []
  }
  const steps = [...listReadSteps({ contracts, ours }), ...(write ? writeSteps : [])]
  // A deployment cannot have operations of a newer version.
  const able = steps.filter(({ operationId }) =>
    contracts.some((contract) => contract.has(operationId)),
  )
  const operations = [
    await checkAnswer({ operationId: 'issueToken', status: 200 }, answer, {}),
    ...(await runSteps(able, { send, checkAnswer, token, known, missingScopes })),
  ]
  return {
    versions: contracts.map(({ version }) => version),
    unknown_versions: unknown,
    holds: operations.every((operation) => operation.holds),
    passed_over: operations.filter(isSkipped).length,
    operations,
  }
}

function textOf({ body }: Answer, name: string): string | undefined {
  const value = (body as Readonly<Record<string, unknown>> | null)?.[name]
  return typeof value === 'string' ? value : undefined
}

interface Run {
  readonly send: Send
  readonly token: string | undefined
  readonly known: Known
  readonly checkAnswer: CheckAnswer
  /** Scopes that the operation needs and the token lacks. */
  readonly missingScopes: (operationId: string) => readonly string[]
}

async function runSteps(steps: readonly Step[], run: Run): Promise<readonly VerifiedOperation[]> {
  const operations: VerifiedOperation[] = []
  /** Values that could not be read, with the operation that should have provided them. */
  const failedSources = new Map<string, VerifiedOperation>()
  let { known } = run
  /** Set when no more operations are called. */
  let stopReason: string | undefined
  for (const step of steps) {
    const operation = await verifyStep(step)
    operations.push(operation)
    // An operation that matches the contract but has no data is not a failure.
    if (operation.holds && operation.missing_scopes.length === 0) continue
    for (const name of step.provides ?? []) failedSources.set(name, operation)
  }
  return operations

  async function verifyStep(step: Step): Promise<VerifiedOperation> {
    const { operationId, method, path, headers, body, keep } = step
    if (stopReason) return outcome(operationId, null, stopReason)
    const needsToken = !step.isAnonymous && path(known).startsWith('/v1/')
    if (needsToken && run.token === undefined) {
      return outcome(operationId, null, 'not called: there is no access token')
    }
    const skipped = whySkipped(step)
    if (skipped) return skipped
    const answer = await run.send({
      method,
      path: path(known),
      headers: {
        ...(needsToken && { authorization: `Bearer ${run.token}` }),
        ...headers?.(known),
      },
      body: body?.(known),
    })
    if (answer instanceof NoAnswer) {
      // A deployment that hangs once will hang again, and each wait is long.
      if (isTimeOut(answer)) stopReason = `not called: ${operationId} got no response in time`
      return outcome(operationId, null, `no response: ${answer.message}`)
    }
    const operation = await run.checkAnswer(step, answer, known)
    if (keep && answer.status < 300) known = { ...known, ...keep(answer.body, answer.headers) }
    return operation
  }

  function whySkipped(step: Step): VerifiedOperation | undefined {
    const { operationId, needs = [], indispensable } = step
    const missing = step.isAnonymous ? [] : run.missingScopes(operationId)
    if (missing.length > 0) {
      if (!indispensable) return skippedForScopes(operationId, missing)
      return outcome(operationId, null, `not called: the token lacks ${missing.join(', ')}`)
    }
    const unknown = needs.filter((name) => !known[name])
    if (unknown.length === 0) return undefined
    const source = unknown.map((name) => failedSources.get(name)).find((found) => found)
    if (!source) return outcome(operationId, null, indispensable?.(known))
    if (source.holds) return skippedForScopes(operationId, source.missing_scopes)
    return outcome(operationId, null, `not called: ${source.operation} differs`)
  }
}
