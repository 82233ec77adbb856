import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { request } from 'undici'
import { unlimitedFlags } from '../../fixtures/builders/rate-limits.ts'
import type { Bench, Engine } from '../bench.ts'
import { type Child, startChild } from './child-process.ts'
import { type BenchDatabase, startDatabase } from './database.ts'
import { credentials, type SetUp, setUp } from './set-up.ts'
import { watchingOf } from './turns.ts'

export const ownProgram = join(import.meta.dirname, '..', '..', 'bin', 'run.js')

/** A server of the partner API, as a partner with a valid token sees it. */
export interface SignedIn {
  readonly name: string
  /** The processes of the server, and its database. */
  readonly roots: readonly number[]
  readonly origin: string
  readonly headers: { readonly authorization: string }
  // biome-ignore lint/suspicious/noExplicitAny: an answer has one of many shapes.
  get(path: string): Promise<any>
  /** Returns the bytes of an answer, which must be 200. */
  text(path: string): Promise<string>
}

export interface RunningService extends Child, SignedIn {
  readonly directory: string
  /** Runs a command on the service and returns what it prints. */
  command(...argv: readonly string[]): Promise<string>
}

interface ServiceOptions {
  readonly name?: string
  /** `bin/run.js` of another checkout. */
  readonly program?: string
  /** The data directory of a service that has stopped. */
  readonly directory?: string
  readonly database?: BenchDatabase | undefined
  readonly flags?: readonly string[]
  readonly setUp?: SetUp
  /** Whether `readTurns` is asked about the service. */
  readonly isWatched?: boolean
}

let started = 0

/** Starts the built program in a separate process, which listens on loopback and logs to a file. */
export async function startService(
  bench: Bench,
  { name = 'coopshare', program = ownProgram, database, ...options }: ServiceOptions,
): Promise<RunningService> {
  started += 1
  const { directory = join(bench.directory, `service-${started}`), flags = [] } = options
  const fixtures = `${directory}-fixtures.json`
  if (options.setUp) writeFileSync(fixtures, JSON.stringify(setUp(options.setUp)))
  const argv = [
    ...['serve', '--json', '--port', '0', '--data-dir', directory],
    // The published rate limits would limit the measurement. All other settings are those of users.
    ...unlimitedFlags,
    ...['--allow-private-webhooks', ...(database?.flags ?? []), ...flags],
    ...(options.setUp ? ['--fixtures', fixtures] : []),
  ]
  const logFile = `${directory}.log`
  const watching = options.isWatched ? watchingOf(directory) : undefined
  const { flags: nodeFlags = [], variables = {} } = watching ?? {}
  const child = bench.stopAtEnd(
    await startChild([process.execPath, ...nodeFlags, program, ...argv], { logFile, variables }),
  )
  const roots = [child.pid, ...(database ? [database.pid] : [])]
  const signedIn = await signIn({ name, roots, origin: JSON.parse(child.said).listening_url })
  const command = async (...words: readonly string[]) => {
    // A file of 100 MB needs more than the usual heap of a small machine.
    const heap = '--max-old-space-size=4096'
    const all = [heap, program, ...words, '--data-dir', directory]
    const { stdout } = await promisify(execFile)(process.execPath, all, { maxBuffer: 2 ** 30 })
    return stdout
  }
  return { ...child, ...signedIn, directory, command }
}

/** Starts this program, and that of `--beside`, on each engine. */
export async function startOnEngines(
  bench: Bench,
  options: Omit<ServiceOptions, 'name' | 'program' | 'database'>,
  engines: readonly Engine[] = bench.engines,
): Promise<{ readonly ours: RunningService[]; readonly beside: RunningService[] }> {
  const start = async (program: string, own: string) => {
    const services: RunningService[] = []
    for (const engine of engines) {
      const database = engine === 'postgres' ? await startDatabase(bench) : undefined
      const name = `${own}, ${engine}`
      services.push(await startService(bench, { ...options, name, program, database }))
    }
    return services
  }
  const { beside } = bench
  return {
    ours: await start(ownProgram, 'coopshare'),
    beside: beside === undefined ? [] : await start(beside, basename(dirname(dirname(beside)))),
  }
}

export async function signIn(
  server: Pick<SignedIn, 'name' | 'roots' | 'origin'>,
): Promise<SignedIn> {
  const { origin } = server
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...credentials })
  const answer = await request(`${origin}/oauth2/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  })
  const { access_token } = (await answer.body.json()) as { access_token: string }
  const headers = { authorization: `Bearer ${access_token}` }
  const text = async (path: string) => {
    const { statusCode, body } = await request(`${origin}${path}`, { headers })
    if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${await body.text()}`)
    return body.text()
  }
  return { ...server, headers, text, get: async (path) => JSON.parse(await text(path)) }
}
