// The alternatives in bench/peers that do the whole work of the service.
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { request } from 'undici'
import { completeProfile } from '../fixtures/builders/investors.ts'
import { documents } from '../src/contract/documents.ts'
import { startDatabase } from './database.ts'
import { mapSome } from './map-some.ts'
import { startLoggedPeer } from './peer.ts'
import { type Credentials, ownProgram, type SignedIn, signIn } from './service.ts'
import { credentials, refOf, type SetUp, setUp } from './set-up.ts'
import type { Bench } from './work.ts'
import { WrongAnswers } from './wrong-answers.ts'

/** Their names, and their folders in bench/peers. */
export const alternatives = {
  'fastify + Kysely + graphile-worker': 'kysely',
  'fastify + Drizzle + pg-boss': 'drizzle',
} as const
export type AlternativeName = keyof typeof alternatives

/** A second partner without webhooks, so that the check of the contract sends none. */
const verifier: Credentials = {
  client_id: 'b0000000-0000-4000-8000-000000000002',
  client_secret: 'verifier-secret-for-staging-only-0123456789',
}
const signingSecret = 'whsec_bench'
// The issuer of tokens. The port is known only after the start.
const baseUrl = 'http://partners.example'
const requestsPerMinute = 100_000_000

export interface RunningAlternative extends SignedIn {
  readonly name: string
  /** The processes of the API and of its database. */
  readonly roots: readonly number[]
}

interface AlternativeOptions {
  readonly program: (typeof alternatives)[AlternativeName]
  /** The number of processes of the API, which share one port. */
  readonly workers?: number
  readonly setUp: Pick<SetUp, 'cooperatives'> & { readonly investors: number }
  readonly receivers?: readonly string[]
}

/**
 * Starts an alternative on a new database, checks that it follows the contract, and registers the
 * investors of the fixtures.
 */
export async function startAlternative(
  bench: Bench,
  name: string,
  { program, workers = 1, receivers = [], ...options }: AlternativeOptions,
): Promise<RunningAlternative> {
  const { url, pid } = await startDatabase(bench)
  const settingsFile = join(bench.directory, `${program}-${pid}.json`)
  const contractFolder = writeContract(bench)
  const fixtures = fixturesOf({ cooperatives: options.setUp.cooperatives ?? 200, receivers })
  const settings = { baseUrl, requestsPerMinute, workers, contractFolder, fixtures }
  writeFileSync(settingsFile, JSON.stringify(settings))
  const started = startLoggedPeer(`${settingsFile}.log`, `${program}/main`, url, settingsFile)
  const child = bench.stopAtEnd(await started)
  await requireContract(name, child.said)
  for (const receiver of receivers) {
    await request(receiver, { method: 'PUT', body: signingSecret })
  }
  const signedIn = await signIn(child.said, credentials)
  await registerInvestors(signedIn, options.setUp.investors)
  return { ...signedIn, name, roots: [child.pid, pid] }
}

function writeContract(bench: Bench): string {
  const folder = join(bench.directory, 'contract')
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(documents)) writeFileSync(join(folder, name), text)
  return folder
}

function fixturesOf({
  cooperatives,
  receivers,
}: {
  readonly cooperatives: number
  readonly receivers: readonly string[]
}) {
  const { organizations, ...others } = setUp({ cooperatives })
  const webhooks = receivers.map((url) => ({ url, signing_secret: signingSecret }))
  const verifying = { name: 'Verifier', clients: [verifier], webhooks: [] }
  return {
    ...others,
    organizations: [
      ...organizations.map((organization) => ({ ...organization, webhooks })),
      verifying,
    ],
  }
}

/** An alternative that differs from the contract does other work, so it is not measured. */
async function requireContract(name: string, url: string): Promise<void> {
  const argv = ['contract', 'verify', '--write', '--json', '--url', url]
  const client = {
    COOPSHARE_CLIENT_ID: verifier.client_id,
    COOPSHARE_CLIENT_SECRET: verifier.client_secret,
  }
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [ownProgram, ...argv], {
      env: { ...process.env, ...client },
    })
    const { operations, passed_over: skipped } = JSON.parse(stdout)
    console.log(`${name} follows the contract: ${operations.length} checks, ${skipped} skipped.`)
  } catch (error) {
    throw new WrongAnswers(`${name} differs from the contract. ${describe(error)}`)
  }
}

/** Names the first difference, if the command has found one. */
function describe(error: unknown): string {
  const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
  if (!stdout.startsWith('{')) return `${stdout}${stderr}` || String(error)
  const { operations } = JSON.parse(stdout)
  const first = operations.find(({ holds }: { holds: boolean }) => !holds)
  return `The first difference: ${first.operation}: ${first.difference}`
}

async function registerInvestors({ origin, headers }: SignedIn, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, number) => number)
  await mapSome(numbers, async (number) => {
    const provision = {
      partner_customer_ref: refOf(number),
      email: `investor-${number}@example.org`,
      profile: completeProfile(),
    }
    const answer = await request(`${origin}/v1/investors`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(provision),
    })
    const text = await answer.body.text()
    if (answer.statusCode !== 201) throw new Error(`${refOf(number)}: ${text}`)
  })
}

/** Reads how many deliveries an alternative has recorded, with the labels of our metric. */
export async function readRecordedBy(origin: string): Promise<ReadonlyMap<string, number>> {
  const { body } = await request(`${origin}/operator/deliveries`)
  const counts = (await body.json()) as Readonly<Record<string, number>>
  return new Map(
    Object.entries(counts).map(([state, count]) => [`kind="webhook",state="${state}"`, count]),
  )
}
