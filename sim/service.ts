import { startServing } from '../src/cli/serve/start-serving.ts'
import { type Config, parseConfig } from '../src/config.ts'
import type { WebhookSender } from '../src/ports/webhook-sender.ts'
import type { Computer, Process } from './computer.ts'
import type { Loop } from './loop.ts'

const backupDirectory = '/backups'
export const operatorToken = 'the-token-of-the-simulated-operator-endpoint'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: actors look into answers of every shape.
  readonly body: any
}

export interface Call {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer> | undefined
  /** Called when the request reaches the service. */
  readonly reached?: (() => void) | undefined
  /** Others do not reach a service that is tried with damaged files. */
  readonly isTrial?: boolean
}

interface App {
  fetch(request: Request): Response | Promise<Response>
}

type Door = 'partners' | 'operators'
type Serving = Awaited<ReturnType<typeof startServing>>

export interface ServiceOptions {
  readonly environment: 'staging' | 'production'
  readonly isFourEyes?: boolean
  readonly backupEveryMs: number | undefined
}

/** One start of the service, in a process of the computer. */
export class ServiceProcess {
  readonly process: Process
  readonly #loop: Loop
  readonly #apps = new Map<Door, App>()
  #serving: Serving | undefined
  #inFlight = 0
  readonly #answering = new Map<Promise<Answer>, Door>()
  /** The listeners whose connections are closed. */
  readonly #closed = new Set<Door>()

  private constructor(loop: Loop, process: Process) {
    this.#loop = loop
    this.process = process
  }

  static begin({ loop, computer, options, sender, log }: Beginning) {
    const made = new ServiceProcess(loop, computer.startProcess())
    const listen: NonNullable<Parameters<typeof startServing>[2]>['listen'] = async (address) => {
      const isPartners = address.portSetting.startsWith('--port')
      const door: Door = isPartners ? 'partners' : 'operators'
      return {
        port: isPartners ? 8080 : 8081,
        inFlight: () => made.#inFlight,
        answerWith: (app) => void made.#apps.set(door, app),
        endConnections: () => undefined,
        close: (patienceMs) => made.#closeDoor(door, patienceMs),
      }
    }
    const note = (level: string) => (fields: object, message: string) => log(level, fields, message)
    const logger = { info: note('info'), warn: note('warn'), error: note('error') }
    const openLogger = async () => ({ ...logger, limited: logger, flush: async () => undefined })
    const ready = startServing(configOf(options), async () => undefined, {
      listen,
      openLogger,
      isProcessMeasured: false,
      // Nobody else changes the simulated disk, and a day has many looks.
      isDirectoryWatched: false,
      webhookSender: ofProcess(made.process, sender),
    }).then((serving) => {
      made.#serving = serving
    })
    return { service: made, ready }
  }

  /** Whether the service answers requests. */
  get isReady(): boolean {
    return this.#serving !== undefined && !this.process.isDead
  }

  close(): Promise<void> {
    return this.#serving?.close() ?? Promise.resolve()
  }

  /**
   * Resolves with undefined if there is no answer, because nothing listens or because the process
   * has crashed.
   */
  async call(door: Door, call: Call): Promise<Answer | undefined> {
    const app = this.#apps.get(door)
    if (!app || this.process.isDead) return undefined
    const answering = this.#answer(app, door, call)
    this.#answering.set(answering, door)
    this.#inFlight += 1
    try {
      const answer = await answering
      return this.#closed.has(door) ? undefined : answer
    } finally {
      this.#inFlight -= 1
      this.#answering.delete(answering)
    }
  }

  /**
   * Waits for the requests in progress and then closes their connections, as a real listener does.
   */
  async #closeDoor(door: Door, patienceMs: number): Promise<void> {
    this.#apps.delete(door)
    const left = [...this.#answering].flatMap(([answering, at]) => (at === door ? [answering] : []))
    const late = this.#loop.reply(patienceMs, this.process, () => undefined)
    await Promise.race([Promise.allSettled(left), late])
    this.#closed.add(door)
  }

  async #answer(app: App, door: Door, call: Call): Promise<Answer> {
    const { method, path, headers = {}, body = null } = call
    const origin = door === 'partners' ? 'http://127.0.0.1:8080' : 'http://127.0.0.1:8081'
    const request = new Request(`${origin}${path}`, { method, headers, body })
    const response = await app.fetch(request)
    const bytes = Buffer.from(await response.arrayBuffer())
    const text = bytes.toString('latin1').startsWith('{"format"') ? '' : bytes.toString('utf8')
    const isJson = response.headers.get('content-type')?.includes('json') && text !== ''
    this.#loop.note(`${response.status} ${text}`)
    const answer = { status: response.status, headers: response.headers, text }
    return { ...answer, body: isJson ? JSON.parse(text) : bytes }
  }
}

/** Wraps a sender so that no answer reaches a process that has crashed. */
function ofProcess(process: Process, sender: WebhookSender): WebhookSender {
  return {
    findAddressError: (url) => sender.findAddressError(url),
    inspectAddresses: (url) => sender.inspectAddresses(url),
    inspectCertificate: (url) => sender.inspectCertificate(url),
    send: (request) =>
      new Promise((resolve, reject) => {
        sender.send(request).then(
          (outcome) => process.isDead || resolve(outcome),
          (error: Error) => process.isDead || reject(error),
        )
      }),
  }
}

interface Beginning {
  readonly loop: Loop
  readonly computer: Computer
  readonly options: ServiceOptions
  readonly sender: WebhookSender
  readonly log: (level: string, fields: object, message: string) => void
}

const settings = await parseConfig(
  [
    ...['--base-url', 'https://partners.example', '--trust-proxy', '1'],
    ...['--operator-port', '8081', '--mail-directory', '/mail', '--database-wait', '0s'],
  ],
  { defaultDataDirectory: '/data', variables: { COOPSHARE_OPERATOR_TOKEN: operatorToken } },
)

export function configOf({ environment, isFourEyes, backupEveryMs }: ServiceOptions): Config {
  return {
    ...settings,
    environment,
    fourEyes: isFourEyes ? ['collect'] : [],
    backup:
      backupEveryMs === undefined
        ? undefined
        : { directory: backupDirectory, everyMs: backupEveryMs, keep: 3 },
  }
}
