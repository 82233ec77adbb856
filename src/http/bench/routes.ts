import type { H3Event, H3Plugin } from 'h3'
import { Problem } from '../../domain/problem.ts'
import { parseJsonOrText } from '../../domain/text.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import { testEventType } from '../../domain/webhooks/event.ts'
import { requireRoleForWork, serviceFor } from '../../operations/run-audited.ts'
import type { Advance } from '../../usecases/bench/advance-clock.ts'
import type { Bench } from '../../usecases/bench/bench.ts'
import {
  type Coverage,
  directions,
  type Exchange,
  type ExchangeFilter,
  keptExchanges,
} from '../../usecases/bench/journal.ts'
import { expireTokens } from '../../usecases/oauth/clients.ts'
import type { Service } from '../../usecases/service.ts'
import {
  type ContractVerdict,
  type CoverageReport,
  invalid,
  type JudgedExchange,
  readFault,
  readTarget,
  readWaitingTime,
} from '../../wire/bench.ts'
import {
  type BenchCall,
  type BenchCallName,
  type BenchInput,
  type BenchSource,
  benchCallNames,
  benchCalls,
} from '../../wire/bench-calls.ts'
import { type AnyStruct, checkShape, throwShapeProblem } from '../../wire/check-shape.ts'
import {
  apiOperations,
  describeBenchOperations,
  isBenchOperation,
  routeOf,
} from '../operation-ids.ts'
import { invalidParameter, readEnum, readNumber, readParameter } from '../query.ts'
import { maximumBodyBytes, parseJson, readBytes } from '../read-body.ts'
import { readWait } from '../request-feed.ts'
import { callerOf } from '../verify-signed-requests.ts'
import { completeFault, loadContract, wrongMethod } from './faults.ts'

/** The bench of a running service. */
export interface BenchControl {
  readonly bench: Bench
  /** @returns the time of the clock afterwards */
  advance(advance: Advance): Promise<Timestamp>
  /** Returns to the data and the time of the start. */
  reset(): Promise<void>
}

const defaultTimeout = '30s'

/** The controls of partners who test against the service. Without the bench, each path explains how to turn it on. */
export function benchRoutes(service: Service, control: BenchControl | undefined): H3Plugin {
  return (app) => {
    app.use('/bench/**', async (event) => {
      // Viewers may read.
      if (event.req.method !== 'GET') await requireRoleForWork(service, callerOf(event), 'bench')
      requireBench(service, control)
    })
    if (!control) return
    const handlers = handlersOf(service, control)
    for (const name of benchCallNames) {
      const { method, path, input, status, answer }: BenchCall = benchCalls[name]
      app.on(method, routeOf(path), async (event) => {
        const sent = input ? await readInput(event, input.shape) : {}
        const source = await handlers[name](sent as never, event)
        if (status !== undefined) event.res.status = status
        return answer.render(source as never)
      })
    }
  }
}

type Handlers = {
  readonly [Name in BenchCallName]: (
    input: BenchInput<Name>,
    event: H3Event,
  ) => BenchSource<Name> | Promise<BenchSource<Name>>
}

function handlersOf(service: Service, control: BenchControl): Handlers {
  const { bench } = control
  const { clock, faults, journal, coverage } = bench
  const now = () => ({ now: clock.now() })
  return {
    'bench.show_clock': now,
    'bench.move_clock': async (target) => {
      const arrived = await control.advance({
        findTarget: readTarget(target),
        timeoutMs: readWaitingTime('timeout', target.timeout ?? defaultTimeout),
      })
      return { now: arrived }
    },
    'bench.reset': async () => {
      await control.reset()
      return now()
    },
    'bench.list_faults': () => faults.list(),
    'bench.add_fault': async (sent) => {
      const fault = readFault(sent)
      requireKnown(fault.operation)
      return faults.add(await completeFault(fault))
    },
    'bench.clear_faults': () => ({ removed: faults.clear() }),
    'bench.remove_fault': (_, event) => {
      faults.remove(event.context.params?.['id'] ?? '')
      return { removed: 1 }
    },
    'bench.list_exchanges': async (_, event) => {
      const filter = readFilter(event)
      const timeoutMs = readWait(event)
      if (timeoutMs > 0) await journal.waitFor({ ...filter, count: 1, timeoutMs })
      return judge(journal.list(filter))
    },
    'bench.clear_journal': () => ({ removed: journal.clear() }),
    'bench.await_exchanges': async ({ operation, count = 1, timeout = '5s', ...whose }) => {
      requireKnown(operation)
      const timeoutMs = readWaitingTime('timeout', timeout)
      const { client: clientId, organization: organizationId } = whose
      const which = { operation, clientId, organizationId }
      const found = await journal.waitFor({ ...which, count, timeoutMs })
      if (!found) throw missed(operation, count, journal.list(which).length, timeout)
      return judge(found)
    },
    'bench.expire_tokens': async ({ client: clientId }, event) => {
      const audited = serviceFor(service, callerOf(event), 'tokens.expire')
      return { clients: await expireTokens(audited, { clientId }) }
    },
    'bench.show_maintenance': () => ({ on: bench.maintenance !== undefined }),
    'bench.set_maintenance': ({ on, retry_after = 30 }) => {
      bench.maintenance = on ? { retryAfterSeconds: retry_after } : undefined
      return { on }
    },
    'bench.coverage': async () => coverageOf(await loadContract(), coverage),
  }
}

function requireBench({ settings }: Service, control: BenchControl | undefined): void {
  if (control) return
  if (settings.environment === 'production') {
    throw new Problem('TESTING_AID_IN_PRODUCTION', 'The bench is for staging only.')
  }
  throw new Problem('BENCH_OFF', 'Start the service with `coopshare serve --bench` to use this.')
}

async function readInput(event: H3Event, shape: AnyStruct): Promise<unknown> {
  const bytes = await readBytes(event, maximumBodyBytes)
  // Some clients send null for no input.
  const body = bytes.byteLength === 0 ? {} : (parseJson(bytes) ?? {})
  const [failures, value] = checkShape(body, shape)
  if (!failures) return value
  return throwShapeProblem(failures, ({ path }) => path.join('.') || 'body')
}

function requireKnown(operation: string): void {
  if (!isBenchOperation(operation)) throw invalid('operation', describeBenchOperations(operation))
}

function readFilter(event: H3Event): ExchangeFilter {
  const limit = readNumber(event, 'limit')
  const operation = readParameter(event, 'operation')
  if (operation !== undefined && !isBenchOperation(operation)) {
    throw invalidParameter('operation', describeBenchOperations(operation))
  }
  return {
    operation,
    clientId: readParameter(event, 'client'),
    organizationId: readParameter(event, 'organization'),
    direction: readEnum(event, 'direction', directions),
    after: readNumber(event, 'after'),
    limit:
      limit === undefined ? undefined : Math.max(1, Math.min(Math.floor(limit), keptExchanges)),
  }
}

function missed(operation: string, wanted: number, found: number, timeout: string): Problem {
  return new Problem(
    'AWAIT_TIMEOUT',
    `After ${timeout}, the journal has only ${found} of ${wanted} exchanges of ${operation}.`,
  )
}

/** Compares exchanges with the published contract when somebody reads them. */
async function judge(exchanges: readonly Exchange[]): Promise<JudgedExchange[]> {
  const contract = await loadContract()
  return exchanges.map((each) => ({ ...each, contract: verdictOn(contract, each) }))
}

type Contract = Awaited<ReturnType<typeof loadContract>>

function verdictOn(contract: Contract, exchange: Exchange): ContractVerdict {
  const { direction, operation, status, request, response } = exchange
  if (request.isCutOff) return unchecked
  if (direction === 'delivery') {
    const type = request.headers['x-service-webhook-event'] ?? ''
    const event = { headers: new Headers(request.headers), body: parseJsonOrText(request.body) }
    return verdict(prefixed('event', contract.findEventDifference(type, event)))
  }
  // The sandbox has its own document.
  if (operation === null || !contract.has(operation)) return unchecked
  const mediaType = request.headers['content-type']?.split(';', 1)[0] ?? ''
  const ofRequest =
    request.body === ''
      ? undefined
      : contract.findRequestDifference(operation, mediaType, parseJsonOrText(request.body))
  const ofResponse =
    status === null || response.isCutOff
      ? undefined
      : contract.findDifference(operation, {
          status,
          headers: new Headers(response.headers),
          text: response.body,
          body: parseJsonOrText(response.body),
          isToHead: exchange.method === 'HEAD',
        })
  return verdict(prefixed('request', ofRequest), prefixed('response', ofResponse))
}

const unchecked: ContractVerdict = { verdict: 'unchecked', problems: [] }

function verdict(...found: readonly (string | undefined)[]): ContractVerdict {
  const problems = found.filter((problem) => problem !== undefined)
  return { verdict: problems.length === 0 ? 'conforms' : 'violates', problems }
}

function prefixed(what: string, problem: string | undefined): string | undefined {
  return problem === undefined ? undefined : `${what}: ${problem}`
}

/** Which documented answers, events and outcomes were covered, and which were not. */
function coverageOf(
  contract: Contract,
  { answers, eventTypes, outcomes }: Coverage,
): CoverageReport {
  const documented = contract
    .listAnswers()
    .filter(({ operation, status }) => covered.includes(operation) && status !== wrongMethod)
    .map((answer) => ({ ...answer, times: timesOf(answer) }))
  const events = contract
    .listEventTypes()
    // Only an operator can send a test.
    .filter((type) => type !== testEventType)
    .map((type) => ({ type, times: eventTypes.get(type) ?? 0 }))
  const deliveries = deliveryOutcomes.map((outcome) => ({
    outcome,
    times: outcomes.get(outcome) ?? 0,
  }))
  const all = [...documented, ...events, ...deliveries]
  const met = all.filter(({ times }) => times > 0).length
  return {
    percentage: Math.floor((1000 * met) / all.length) / 10,
    met,
    total: all.length,
    answers: documented,
    events,
    deliveries,
  }

  function timesOf(answer: { operation: string; status: number; code: string | null }): number {
    const same = answers.filter(
      ({ operation, status, code }) =>
        operation === answer.operation &&
        status === answer.status &&
        // The contract lists no codes for the token endpoint.
        (answer.code === null || code === answer.code),
    )
    return same.reduce((sum, { times }) => sum + times, 0)
  }
}

/** The operations that an application of a partner calls; documents, keys and images are not counted. */
const covered = ['issueToken', ...apiOperations]

const deliveryOutcomes = ['delivered', 'status', 'timeout', 'connect', 'broken_answer']
