// The alternative in bench/peers/alternative, which does the whole work of the service for partners.
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { request } from 'undici'
import { completeProfile } from '../../fixtures/builders/investors.ts'
import { documents } from '../../src/contract/documents.ts'
import { type Bench, WrongAnswers } from '../bench.ts'
import { mapSome } from '../load/partner-loads.ts'
import { startDatabase } from './database.ts'
import { startPeer } from './peer.ts'
import { ownProgram, type SignedIn, signIn } from './service.ts'
import { refOf, setUp } from './set-up.ts'

const name = 'fastify + Kysely + graphile-worker'
/** A second partner without webhooks, so that the check of the contract sends none. */
const verifier = {
  client_id: 'b0000000-0000-4000-8000-000000000002',
  client_secret: 'verifier-secret-for-staging-only-0123456789',
}
const signingSecret = 'whsec_bench'

interface AlternativeOptions {
  readonly cooperatives?: number
  readonly investors: number
  /** The number of processes of the API, which share one port. */
  readonly workers?: number
  /** Gets the webhooks, on the path `/alternative`. */
  readonly receiver?: string
}

/**
 * Starts the alternative on a new database, checks that it follows the contract, and registers the
 * investors.
 */
export async function startAlternative(
  bench: Bench,
  { cooperatives = 200, investors, workers = 1, receiver }: AlternativeOptions,
): Promise<SignedIn> {
  const { url, pid } = await startDatabase(bench)
  const contractFolder = join(bench.directory, 'contract')
  mkdirSync(contractFolder, { recursive: true })
  for (const [file, text] of Object.entries(documents)) {
    writeFileSync(join(contractFolder, file), text)
  }
  const webhooks = receiver === undefined ? [] : [{ url: receiver, signing_secret: signingSecret }]
  const { organizations, ...others } = setUp({ cooperatives })
  const settings = {
    // The issuer of tokens. The port is known only after the start.
    baseUrl: 'http://partners.example',
    requestsPerMinute: 100_000_000,
    workers,
    contractFolder,
    fixtures: {
      ...others,
      organizations: [
        ...organizations.map((organization) => ({ ...organization, webhooks })),
        { name: 'Verifier', clients: [verifier], webhooks: [] },
      ],
    },
  }
  const settingsFile = join(bench.directory, `alternative-${pid}.json`)
  writeFileSync(settingsFile, JSON.stringify(settings))
  const child = await startPeer(bench, 'alternative/main', url, settingsFile)
  await requireContract(child.said)
  if (receiver !== undefined) await request(receiver, { method: 'PUT', body: signingSecret })
  const signedIn = await signIn({
    name: workers === 1 ? name : `${name}, ${workers} processes`,
    roots: [child.pid, pid],
    origin: child.said,
  })
  await registerInvestors(signedIn, investors)
  return signedIn
}

/** If the alternative differs from the contract, it does other work, so it is not measured. */
async function requireContract(url: string): Promise<void> {
  const argv = ['contract', 'verify', '--write', '--json', '--url', url]
  const client = {
    COOPSHARE_CLIENT_ID: verifier.client_id,
    COOPSHARE_CLIENT_SECRET: verifier.client_secret,
  }
  const env = { ...process.env, ...client }
  try {
    await promisify(execFile)(process.execPath, [ownProgram, ...argv], { env })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new WrongAnswers(`The alternative differs from the contract.\n${stderr}${stdout}`)
  }
}

async function registerInvestors({ origin, headers }: SignedIn, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, number) => number)
  await mapSome(numbers, async (number) => {
    const answer = await request(`${origin}/v1/investors`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({
        partner_customer_ref: refOf(number),
        email: `investor-${number}@example.org`,
        profile: completeProfile(),
      }),
    })
    const text = await answer.body.text()
    if (answer.statusCode !== 201) throw new Error(`${refOf(number)}: ${text}`)
  })
}
