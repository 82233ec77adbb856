import { access, constants } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, relative } from 'node:path'
import { invalid } from '../../config/common-flags.ts'
import { describePlace } from '../../config/database-flags.ts'
import type { Config } from '../../config.ts'
import { quoteWord } from '../../domain/text.ts'
import { firstCalls } from '../../http/first-calls.ts'
import { makeDirectory, privateDirectory } from '../../machine/durable-files.ts'
import { removeLeftWork } from '../../open-service.ts'
import { environments } from '../../ports/collections.ts'
import type { Service } from '../../usecases/service.ts'
import { count, ifPresent, oneOf, plain, type Rendered, text } from '../../wire/view.ts'
import { waitForStopSignal } from '../stop-signal.ts'
import {
  applyDemoData,
  applyFixtureFiles,
  type Credentials,
  demoCredentials,
  hasClient,
} from './initial-data.ts'
import { requireServable } from './requirements.ts'
import { type Serving, startServing } from './start-serving.ts'

export const readyService = plain('Service', {
  base_url: text('Public address of the partner API.'),
  listening_url: text('Address of the partner API on this machine.'),
  operator_url: text('Address of the operator endpoint.'),
  pid: count('Id of the process.'),
  environment: oneOf(environments, 'Environment of the store.'),
  data_dir: text('Data directory.'),
  database: ifPresent(text('Database of the store, without user and password.')),
  client_id: ifPresent(
    text(
      'Demo client; with `--exit-with-parent`, the first client in the fixtures, if there is one.',
    ),
  ),
  client_secret: ifPresent(text('Secret of this client.')),
})

export interface ServeOptions {
  /** Called once, when the service is ready. */
  readonly greet: (ready: {
    readonly text: string
    readonly data: Rendered<typeof readyService>
  }) => void
  /** Whether a person reads the greeting, at a terminal. */
  readonly isForPerson: boolean
  /** The data directory of a command that names none. */
  readonly defaultDataDirectory: string
}

/** Runs until the process gets a signal. */
export async function serve(config: Config, options: ServeOptions): Promise<void> {
  await requireServable(config)
  if (config.mailDirectory !== undefined) await prepareMailDirectory(config.mailDirectory)
  await removeLeftWork(tmpdir())
  if (config.backup) await removeLeftWork(config.backup.directory)
  const stopped = waitForStopSignal()
  if (config.exitWithParent) stopWithParent()
  let isStarting = true
  // A start may wait for a database. It serves nobody yet, and an interrupted start is repeated as a whole.
  void stopped.then(() => isStarting && process.exit(0))
  const credentials = config.demo ? demoCredentials : undefined
  let fixtureCredentials: Credentials | undefined
  const serving = await startServing(config, async (service: Service) => {
    // Changes that an operator made to the demo data must stay.
    const isLacking = credentials && !(await hasClient(service, credentials.client_id))
    if (isLacking) await applyDemoData(service)
    fixtureCredentials = await applyFixtureFiles(service, config.fixtures)
    // The service answers requests soon, so from now on a stop is not a mere exit.
    isStarting = false
  })
  // A link that signs in is for eyes only: where a program reads the output, it may be kept.
  const signInLink = options.isForPerson ? await serving.createSignInLink() : undefined
  options.greet({
    text: renderGreeting({ config, serving, credentials, signInLink, ...options }),
    data: {
      base_url: serving.baseUrl,
      listening_url: serving.listeningUrl,
      operator_url: serving.operatorUrl,
      pid: process.pid,
      environment: config.environment,
      data_dir: config.dataDirectory,
      ...(config.database && { database: describePlace({ database: config.database }) }),
      ...credentials,
      // Only the program that has started the service needs the secret. Any other program would keep it in a log.
      ...(config.exitWithParent && config.environment === 'staging' && fixtureCredentials),
    },
  })
  await stopped
  if (config.drainMs > 0) await drain(serving)
  await serving.close()
}

const looksMs = 200

/**
 * A parent that was killed cannot stop its children; they get another parent then. If it was killed
 * before this program had loaded, only the process id that `coopshare/testing` passes shows that.
 */
function stopWithParent(): void {
  const parent = process.ppid
  const startedBy = process.env['COOPSHARE_STARTED_BY']
  const look = setInterval(() => {
    if (process.ppid === parent && (!startedBy || isRunning(Number(startedBy)))) return
    clearInterval(look)
    process.kill(process.pid, 'SIGTERM')
  }, looksMs)
  look.unref()
}

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0)
  } catch (error) {
    // A process of another user may not be asked, but runs.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The second signal ends the drain, the third one ends the process. */
async function drain(serving: Serving): Promise<void> {
  const over = new AbortController()
  await serving.drain(waitForStopSignal(over.signal))
  over.abort()
}

async function prepareMailDirectory(directory: string): Promise<void> {
  try {
    await makeDirectory(directory, privateDirectory)
    await access(directory, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw invalid(`Cannot write to --mail-directory: ${(error as Error).message}`)
  }
}

interface Greeting extends Pick<ServeOptions, 'defaultDataDirectory'> {
  readonly config: Config
  readonly serving: Serving
  /** undefined without demo data. */
  readonly credentials: Credentials | undefined
  readonly signInLink: string | undefined
}

function renderGreeting(greeting: Greeting): string {
  const { config, serving, credentials, signInLink = `${serving.operatorUrl}/` } = greeting
  const { database, dataDirectory } = config
  const place = database
    ? `Database           ${describePlace({ database })}`
    : `Data directory     ${dataDirectory}`
  const lines = [
    `Partner API        ${serving.baseUrl}`,
    ...(serving.listeningUrl === serving.baseUrl
      ? []
      : [`Listening on       ${serving.listeningUrl}`]),
    `Operator endpoint  ${serving.operatorUrl}`,
    `${place} (${config.environment})`,
    ...(credentials ? renderCredentials(credentials) : []),
    '',
    `Reference          ${serving.baseUrl}/docs`,
    `Console            ${signInLink}`,
    `                   ${adviseOnConsole(greeting)}`,
    ...(credentials ? renderDemo(config, serving, credentials) : []),
  ]
  return lines.join('\n')
}

/** The link is valid for a minute only, and the greeting stays on the screen. */
function adviseOnConsole({ config, signInLink, defaultDataDirectory }: Greeting): string {
  const { environment, dataDirectory } = config
  const command = [
    `${ownCommand()} console --open`,
    ...(environment === 'production' ? ['--environment production'] : []),
    ...(dataDirectory === defaultDataDirectory ? [] : [`--data-dir ${quoteWord(dataDirectory)}`]),
  ].join(' ')
  return signInLink === undefined
    ? `\`${command}\` signs you in.`
    : `This link signs you in once, within a minute. Later, use \`${command}\`.`
}

/** In a checkout, where `npm start` runs this file, nothing else is called coopshare. */
function ownCommand(): string {
  const started = process.argv[1] ?? ''
  const isCheckout = basename(started) === 'run.js'
  return isCheckout ? `node ${quoteWord(relative(process.cwd(), started))}` : 'coopshare'
}

function renderCredentials({ client_id, client_secret }: Credentials): string[] {
  return ['', `client_id          ${client_id}`, `client_secret      ${client_secret}`]
}

function renderDemo(config: Config, { baseUrl }: Serving, credentials: Credentials): string[] {
  // Nobody trusts the certificate that each start creates.
  const curl = config.https && !config.httpsFiles ? 'curl -sk' : 'curl -s'
  const { token, catalogue, investor } = firstCalls(baseUrl, credentials, curl)
  const title = 'Get a token, read the catalogue, register an investor:'
  return ['', title, '', token, catalogue, investor]
}
