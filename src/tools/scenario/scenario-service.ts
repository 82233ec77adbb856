import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunningConnection } from '../../cli/connection.ts'
import { readControlFile } from '../../cli/control-file.ts'
import { reachNamed } from '../../cli/remote-connection.ts'
import { applyDemoData } from '../../cli/serve/initial-data.ts'
import { type Serving, startServing } from '../../cli/serve/start-serving.ts'
import { parseConfig } from '../../config.ts'
import { Problem } from '../../domain/problem.ts'
import { type Output, runOperation } from '../../operations/operations.ts'
import type { Service } from '../../usecases/service.ts'
import {
  type BenchAnswer,
  type BenchCallName,
  type BenchRequest,
  callBench,
} from '../../wire/bench-calls.ts'
import { readWebhook } from '../receive/receive-webhooks.ts'
import { type Given, type Scenario, wrongFile } from './read-scenario.ts'

interface RegisteredWebhook {
  readonly webhookEndpointId: string
  readonly signingSecret: string
}

/** The service of one scenario, in this process, with its own store. */
export interface ScenarioService {
  readonly baseUrl: string
  /** For look-ups that leave no request in the journal. */
  readonly service: Service
  readonly operator: RunningConnection
  readonly webhook: RegisteredWebhook | undefined
  bench<Name extends BenchCallName>(
    name: Name,
    request: BenchRequest<Name>,
  ): Promise<BenchAnswer<Name>>
  close(): Promise<void>
}

interface ServicePlace {
  /** 0 picks a free port. */
  readonly port: number
  /** Where events go; undefined without a webhook endpoint. */
  readonly receiverUrl: string | undefined
}

export async function startScenarioService(
  scenario: Scenario,
  place: ServicePlace,
): Promise<ScenarioService> {
  const directory = await mkdtemp(join(tmpdir(), 'coopshare-scenario-'))
  let serving: Serving | undefined
  const close = async () => {
    await serving?.close()
    await rm(directory, { recursive: true, force: true })
  }
  try {
    const prepared: { service?: Service; webhook?: RegisteredWebhook | undefined } = {}
    const config = await parseConfig(argvOf(scenario.given, directory, place.port), {
      defaultDataDirectory: directory,
      variables: {},
    })
    serving = await startServing(config, async (service) => {
      prepared.service = service
      await applyData(service, scenario)
      prepared.webhook = await registerWebhook(service, scenario, place.receiverUrl)
    })
    const { service, webhook } = prepared
    const operator = await connect(directory)
    const bench: ScenarioService['bench'] = (name, request) =>
      callBench(operator.send, name, request)
    return { baseUrl: serving.baseUrl, service: required(service), operator, webhook, bench, close }
  } catch (error) {
    await close()
    throw error
  }
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('The service has not started.')
  return value
}

function argvOf(given: Given, directory: string, port: number): string[] {
  const { now, seed, backoff, limits = {}, webhook_time, token_time } = given
  const values = {
    'data-dir': directory,
    port,
    now,
    seed,
    'webhook-backoff': backoff,
    'webhook-time': webhook_time,
    'token-time': token_time,
    'log-level': 'silent',
    ...Object.fromEntries(
      Object.entries(limits).map(([name, value]) => [name.replaceAll('_', '-'), value]),
    ),
  }
  const named = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, String(value)],
  )
  return ['--bench', '--allow-private-webhooks', '--no-investor-mail', ...named]
}

async function applyData(service: Service, { given, fixtures, file }: Scenario): Promise<void> {
  try {
    if (given.demo) await applyDemoData(service)
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'VALIDATION_ERROR')) throw error
    throw wrongFile(`${file}: given.now: ${error.message}`)
  }
  if (!fixtures) return
  try {
    await runOperation(service, 'fixtures.apply', fixtures.input)
  } catch (error) {
    const explained = fixtures.explain(error)
    throw explained instanceof Problem ? wrongFile(explained.message) : explained
  }
}

async function registerWebhook(
  service: Service,
  { given, file }: Scenario,
  url: string | undefined,
): Promise<RegisteredWebhook | undefined> {
  const { webhooks } = given
  if (!webhooks || url === undefined) return undefined
  const { organization, secret } = webhooks
  try {
    const input = { organization, url, signing_secret: secret }
    const registered = await runOperation(service, 'webhook.register', input)
    const { webhook_endpoint_id, signing_secret } = registered as Output<'webhook.register'>
    return { webhookEndpointId: webhook_endpoint_id, signingSecret: signing_secret }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    // The advice of the service is about the user's own store.
    const isUnknown = error.code === 'ORGANIZATION_NOT_FOUND'
    const fault = isUnknown ? `There is no organization "${organization}".` : error.message
    throw wrongFile(`${file}: given.webhooks: ${fault}`)
  }
}

async function connect(directory: string): Promise<RunningConnection> {
  const { url, token } = required(await readControlFile(directory))
  return reachNamed({ url, token, environment: 'staging' })
}

/** Takes the webhooks of a scenario that names no receiver. */
export interface BuiltInReceiver {
  readonly url: string
  /** The secret with which signatures are checked. */
  trust(secret: string): void
  /** The answer to events with a valid signature from now on. */
  answerWith(status: number, times?: number): void
  close(): void
}

const [accepted, refused] = [204, 401]

/** @param toleranceSeconds largest accepted age of a signature */
export async function startBuiltInReceiver(toleranceSeconds: number): Promise<BuiltInReceiver> {
  const signing = { secret: '', toleranceSeconds }
  let status = accepted
  let left = Number.POSITIVE_INFINITY
  const statusFor = async (request: IncomingMessage) => {
    const read = await readWebhook(request, signing)
    if (!read?.isValid) return refused
    if (left === 0) return accepted
    left -= 1
    return status
  }
  const server = createServer((request, response) => {
    statusFor(request).then(
      (answer) => response.writeHead(answer).end(),
      // The sender has hung up.
      () => response.destroy(),
    )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    trust(secret) {
      signing.secret = secret
    },
    answerWith(next, times = Number.POSITIVE_INFINITY) {
      status = next
      left = times
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
