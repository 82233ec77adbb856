import { v4 } from 'uuid'
import { documents } from '../../contract/documents.ts'
import {
  type Documents,
  listPinnedContracts,
  type PinnedContract,
} from '../../contract/pinned-contract.ts'
import { Problem } from '../../domain/problem.ts'
import { createAnswerCheck, isSkipped, type VerifiedOperation } from './check-answer.ts'
import {
  type Answer,
  createClient,
  type Deployment,
  explainNoAnswer,
  NoAnswer,
  requestToken,
  type Send,
} from './client.ts'
import { type Common, findCommon } from './manifest.ts'
import { listReadSteps, type Versions } from './read-steps.ts'
import { runSteps } from './run-steps.ts'
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
  /** For each response. */
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
  const known = createInitialValues({
    clientId: deployment.clientId,
    ...(token !== undefined && { token }),
    ...(scope !== undefined && { scope }),
  })
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

function createInitialValues(given: Known): Known {
  return {
    ...given,
    reference: `contract-verify-${v4()}`,
    // The clock of the deployment may be a little behind.
    startedAt: new Date(Date.now() - 60_000).toISOString(),
  }
}
