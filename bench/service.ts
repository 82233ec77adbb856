import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { request } from 'undici'
import { unlimitedFlags } from '../fixtures/builders/rate-limits.ts'
import { type Child, startChild } from './children.ts'
import { credentials, type SetUp, setUp } from './set-up.ts'

export const ownProgram = join(import.meta.dirname, '..', 'bin', 'run.js')

/** A server of the partner API, as a partner with a valid token sees it. */
export interface SignedIn {
  readonly origin: string
  readonly headers: { readonly authorization: string }
  // biome-ignore lint/suspicious/noExplicitAny: an answer has one of many shapes.
  get(path: string): Promise<any>
  /** Returns the bytes of an answer, which must be 200. */
  text(path: string): Promise<string>
}

export interface RunningService extends Child, SignedIn {
  readonly name: string
  readonly program: string
  readonly directory: string
}

export interface Credentials {
  readonly client_id: string
  readonly client_secret: string
}

interface ServiceOptions {
  readonly name?: string
  /** `bin/run.js` of another build. */
  readonly program?: string
  readonly directory: string
  readonly flags?: readonly string[]
  readonly setUp?: SetUp
  /** Whether the published rate limits stay. */
  readonly isLimited?: boolean
  /** The credentials of a client that is in the store. */
  readonly client?: Credentials
}

/**
 * Starts the built program in a separate process. It listens on loopback and writes its log to a
 * file.
 */
export async function startCoopshare({
  name = 'coopshare',
  program = ownProgram,
  directory,
  flags = [],
  isLimited = false,
  client = credentials,
  ...options
}: ServiceOptions): Promise<RunningService> {
  const fixtures = options.setUp ? ['--fixtures', writeSetUp(directory, options.setUp)] : []
  const argv = ['serve', '--json', '--port', '0', '--data-dir', directory, ...flags, ...fixtures]
  // The published rate limits would limit the measurement. All other settings are those of users.
  const limits = isLimited ? [] : unlimitedFlags
  const command = [process.execPath, program, ...argv, ...limits] as const
  const child = await startChild(command, { logFile: `${directory}.log` })
  const { listening_url: origin } = JSON.parse(child.said)
  return { ...child, ...(await signIn(origin, client)), name, program, directory }
}

export async function signIn(origin: string, client: Credentials): Promise<SignedIn> {
  const headers = { authorization: `Bearer ${await readToken(origin, client)}` }
  const text = async (path: string) => {
    const { statusCode, body } = await request(`${origin}${path}`, { headers })
    if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${await body.text()}`)
    return body.text()
  }
  return { origin, headers, text, get: async (path) => JSON.parse(await text(path)) }
}

function writeSetUp(directory: string, wanted: SetUp): string {
  const file = `${directory}-fixtures.json`
  writeFileSync(file, JSON.stringify(setUp(wanted)))
  return file
}

async function readToken(origin: string, client: Credentials): Promise<string> {
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...client })
  const { body } = await request(`${origin}/oauth2/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  })
  const { access_token } = (await body.json()) as { access_token: string }
  return access_token
}
