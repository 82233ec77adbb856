import { documents } from '../../contract/documents.ts'
import { Problem } from '../../domain/problem.ts'
import { type Ask, askForToken, asking, type Deployment, NoAnswer } from './ask-deployment.ts'
import { createJourney, startKnowing } from './journey.ts'
import { measuringBy } from './measure.ts'
import {
  type Answer,
  type Documents,
  listPinnedContracts,
  type PinnedContract,
} from './pinned-contract.ts'
import { isPassedOver, type VerifiedOperation } from './verified-operation.ts'
import { type Common, findCommon } from './versions.ts'
import { walk } from './walk.ts'
import { whyNoAnswer } from './why-no-answer.ts'

export interface Verification {
  readonly versions: readonly string[]
  /** Of the deployment; this program does not have them. */
  readonly unknown_versions: readonly string[]
  readonly holds: boolean
  /** How many were not asked, for the deployment has nothing for them or the token lacks a scope. */
  readonly passed_over: number
  readonly operations: readonly VerifiedOperation[]
}

interface Choice {
  readonly write: boolean
  /** For each answer. */
  readonly timeoutSeconds: number
}

/** Asks a deployment, and measures each of its answers by every published version of the contract. */
export async function verifyContract(
  deployment: Deployment,
  { write, timeoutSeconds }: Choice,
  published: Documents = documents,
): Promise<Verification> {
  const ask = asking(deployment.url, timeoutSeconds)
  const answer = await requireAnswer(ask, deployment)
  const ours = listPinnedContracts(published)
  const { contracts, unknown } = findCommon(ours, await readManifest(ask))
  const measure = measuringBy(contracts)
  const token = textOf(answer, 'access_token')
  const scope = textOf(answer, 'scope')
  const known = startKnowing({
    clientId: deployment.clientId,
    ...(token !== undefined && { token }),
    ...(scope !== undefined && { scope }),
  })
  const way = { ask, measure, token, known }
  const missingScopes = missingIn(scope?.split(' '), contracts)
  return summarize({ contracts, unknown }, [
    await measure({ operationId: 'issueToken', status: 200 }, answer, {}),
    ...(await walk(createJourney({ contracts, ours }, write), { ...way, missingScopes })),
  ])
}

async function requireAnswer(ask: Ask, deployment: Deployment): Promise<Answer> {
  const answer = await askForToken(ask, deployment)
  if (!(answer instanceof NoAnswer)) return answer
  const detail = whyNoAnswer(answer, deployment.url)
  throw new Problem('SERVICE_UNAVAILABLE', detail, { cause: answer.cause })
}

/** Before all else, for it says by which versions the answers are measured. */
async function readManifest(ask: Ask): Promise<unknown> {
  const answer = await ask({ method: 'GET', path: '/openapi/manifest.json' })
  return answer instanceof NoAnswer ? undefined : answer.body
}

/** A token that does not say what it carries is taken to carry all. */
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
    passed_over: operations.filter(isPassedOver).length,
    operations,
  }
}
