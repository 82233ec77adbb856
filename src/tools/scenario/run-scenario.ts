import { commandError } from '../../cli/errors.ts'
import { waitForStopSignal } from '../../cli/stop-signal.ts'
import { Problem } from '../../domain/problem.ts'
import { bankReturnReason } from '../../domain/share-purchases/fate.ts'
import { type ExchangeRow, exchange } from '../../wire/bench.ts'
import { orNull } from '../../wire/json-schema.ts'
import { bool, count, field, listOf, nestedOrNull, rendered, text, view } from '../../wire/view.ts'
import { type JunitCase, writeJunit } from '../junit.ts'
import { type ScenarioContext, setServiceVariables } from './context.ts'
import { describeExchange, listExchanges, shorten } from './exchanges.ts'
import { expect } from './expectations.ts'
import { Mismatch } from './mismatch.ts'
import {
  addFault,
  advance,
  changeCatalogue,
  changeReceiver,
  clear,
  decide,
  disableClient,
  enableClient,
  expireTokens,
  finishDueWork,
  maintain,
  moveTo,
  reject,
  replay,
  reset,
  rotateKey,
  rotateSecret,
  setPrice,
} from './operator-steps.ts'
import { awaitRequests, placeOrder, request } from './partner-steps.ts'
import { type LocatedStep, readScenarios, type Scenario, wrongFile } from './read-scenario.ts'
import { startBuiltInReceiver, startScenarioService } from './scenario-service.ts'
import { builtInReceiver, type StepName, type StepValue } from './step-shapes.ts'
import { substitute, type Variables } from './variables.ts'

export interface Failure {
  readonly step: StepName
  readonly line: number
  readonly message: string
  readonly expected?: unknown
  readonly actual?: unknown
  /** The last exchanges before the failure. */
  readonly journal: readonly ExchangeRow[]
}

export interface ScenarioResult {
  readonly scenario: Scenario
  readonly seconds: number
  /** undefined if the scenario passed. */
  readonly failure: Failure | undefined
}

interface Stage {
  /** Address of the partner's app. */
  readonly app: string | undefined
  /** 0 picks a free port. */
  readonly port: number
}

interface RunningStage extends Stage {
  /** Whether no further step may begin. */
  readonly isStopped: () => boolean
}

async function runScenario(scenario: Scenario, stage: RunningStage): Promise<ScenarioResult> {
  const from = performance.now()
  const secondsNow = () => (performance.now() - from) / 1000
  const { variables, receiver, receiverUrl } = await setUp(scenario, stage)
  try {
    const service = await startScenarioService(scenario, { port: stage.port, receiverUrl })
    try {
      const { now: startedAt } = await service.bench('bench.show_clock', {})
      receiver?.trust(service.webhook?.signingSecret ?? '')
      const found = { clients: new Map(), tokens: new Map() }
      const context = { scenario, service, receiver, variables, startedAt, ...found }
      await setServiceVariables(context)
      const failure = await findFailure(context, stage)
      return { scenario, seconds: secondsNow(), failure }
    } finally {
      await service.close()
    }
  } finally {
    receiver?.close()
  }
}

async function setUp({ given, file }: Scenario, { app }: Stage) {
  const variables: Variables = new Map(app === undefined ? [] : [['APP', app.replace(/\/$/, '')]])
  const receiverIn = (to: string) => {
    try {
      return substitute(to, variables)
    } catch (error) {
      throw error instanceof Mismatch
        ? wrongFile(`${file}: given.webhooks: ${error.message}`)
        : error
    }
  }
  const { webhooks } = given
  if (!webhooks) return { variables, receiver: undefined, receiverUrl: undefined }
  const { to = builtInReceiver } = webhooks
  if (to !== builtInReceiver) {
    return { variables, receiver: undefined, receiverUrl: receiverIn(to) }
  }
  // Signatures by a virtual clock can have any age.
  const toleranceSeconds = given.webhook_time === 'virtual' ? Number.POSITIVE_INFINITY : 300
  const receiver = await startBuiltInReceiver(toleranceSeconds)
  return { variables, receiver, receiverUrl: receiver.url }
}

const shownExchanges = 8

async function findFailure(
  context: ScenarioContext,
  { isStopped }: RunningStage,
): Promise<Failure | undefined> {
  for (const located of context.scenario.steps) {
    if (isStopped()) return undefined
    const thrown = await take(context, located)
    if (thrown === undefined) continue
    const { step, line } = located
    const { message } = thrown
    const difference = thrown instanceof Mismatch ? thrown.difference : {}
    // The failed step matters more than the journal, which a broken service cannot show.
    const journal = await listExchanges(context, { limit: shownExchanges }).catch(() => [])
    return { step: step.name, line, message, ...difference, journal }
  }
  return undefined
}

/** @returns why the step failed */
async function take(context: ScenarioContext, { step }: LocatedStep): Promise<Error | undefined> {
  try {
    // An app may still be sending the awaited requests.
    if (step.name !== 'await') await finishDueWork(context)
    const handle = handlers[step.name] as Handler<never>
    await handle(context, substitute(step.value, context.variables) as never)
    return undefined
  } catch (error) {
    if (error instanceof Mismatch || error instanceof Problem) return error
    throw error
  }
}

type Handler<Name extends StepName> = (
  context: ScenarioContext,
  value: StepValue<Name>,
) => Promise<void>

const handlers: { readonly [Name in StepName]: Handler<Name> } = {
  order: placeOrder,
  call: (context, value) => request(context, value, 'GET'),
  run: (context, value) => request(context, value, 'POST'),
  await: awaitRequests,
  expect,
  approve: decide('purchase.approve'),
  settle: decide('purchase.settle'),
  cancel: decide('purchase.cancel'),
  reject: reject(),
  bank_return: reject(bankReturnReason),
  replay,
  disable_client: disableClient,
  enable_client: enableClient,
  set_price: setPrice,
  publish: changeCatalogue('cooperative.publish'),
  unpublish: changeCatalogue('cooperative.unpublish'),
  fault: addFault,
  clear,
  maintenance: maintain,
  advance,
  to: moveTo,
  reset,
  expire_tokens: expireTokens,
  rotate_key: rotateKey,
  rotate_secret: rotateSecret,
  receiver: changeReceiver,
}

/**
 * Runs scenarios one after the other, so that each can use the port that an app knows.
 * @param report called when a scenario has ended
 */
export async function runScenarios(
  files: readonly string[],
  stage: Stage,
  report: (played: ScenarioResult) => void,
): Promise<void> {
  const scenarios = await readScenarios(files, stage.app)
  const over = new AbortController()
  let isStopped = false
  void waitForStopSignal(over.signal).then(() => {
    isStopped = true
  })
  try {
    for (const scenario of scenarios) {
      const one = await runScenario(scenario, { ...stage, isStopped: () => isStopped })
      if (isStopped) throw commandError('FAILED', 'Stopped before the last scenario had ended.')
      report(one)
    }
  } finally {
    over.abort()
  }
}

/** Describes the result of a scenario for people. */
export function describeResult({ scenario, seconds, failure }: ScenarioResult): string[] {
  const { name, file, steps } = scenario
  if (!failure) return [`passed  ${name} (${steps.length} steps, ${seconds.toFixed(1)} s)`]
  return [`FAILED  ${name} (${seconds.toFixed(1)} s)`, ...describeFailure(file, failure)]
}

/** Enough for a problem with many fields. `--json` has the whole value. */
const longestValue = 1000

function describeFailure(file: string, failure: Failure): string[] {
  const { step, line, message, expected, actual, journal } = failure
  const values = [
    ...(expected === undefined ? [] : [`  expected  ${JSON.stringify(expected)}`]),
    ...(actual === undefined
      ? []
      : [`  actual    ${shorten(JSON.stringify(actual), longestValue)}`]),
  ]
  const last = journal.flatMap(describeExchange).map((text) => `  ${text}`)
  return [
    `${file}:${line}: ${step}: ${message}`,
    ...values,
    ...(last.length > 0 ? ['The last requests and deliveries:', ...last] : []),
  ].map((text) => `        ${text}`)
}

const scenarioFailure = view<Failure>()('Scenario failure', {
  step: text('Step key, such as `expect`.', (it) => it.step),
  line: count('Line of the step in the file.', (it) => it.line),
  message: text('What is wrong, for people.', (it) => it.message),
  expected: field(
    orNull({ description: 'Expected value; null if more than one value is expected.' }),
    (it: Failure) => it.expected ?? null,
  ),
  actual: field(
    orNull({ description: 'Actual value; null if there is more than one.' }),
    (it: Failure) => it.actual ?? null,
  ),
  journal: listOf(
    rendered(exchange),
    'The last requests and deliveries, oldest first.',
    (it) => it.journal,
  ),
})

const playedScenario = view<ScenarioResult>()('Played scenario', {
  scenario: text('Name of the scenario.', (it) => it.scenario.name),
  file: text('File of the scenario.', (it) => it.scenario.file),
  passed: bool('Whether everything happened as the scenario says.', (it) => !it.failure),
  steps: count('Number of its steps.', (it) => it.scenario.steps.length),
  duration_ms: count(
    'Duration of the scenario in milliseconds, including the start of its service.',
    (it) => Math.round(1000 * it.seconds),
  ),
  failure: nestedOrNull(
    scenarioFailure,
    'The step that failed; null if the scenario passed.',
    (it) => it.failure ?? null,
  ),
})

export const scenarioRun = view<readonly ScenarioResult[]>()('Scenario run', {
  passed: count(
    'Number of scenarios that passed.',
    (it) => it.filter(({ failure }) => !failure).length,
  ),
  failed: count(
    'Number of scenarios that failed.',
    (it) => it.filter(({ failure }) => failure).length,
  ),
  scenarios: listOf(
    playedScenario,
    'The scenarios, in the sequence in which you named the files.',
    (it) => it,
  ),
})

export function reportRun(file: string, played: readonly ScenarioResult[]): Promise<void> {
  return writeJunit(file, { name: 'scenario run', cases: played.map(junitCaseOf) })
}

function junitCaseOf({ scenario, seconds, failure }: ScenarioResult): JunitCase {
  const { name, file } = scenario
  const shared = { classname: file, name, seconds }
  if (!failure) return shared
  const text = describeFailure(file, failure).join('\n')
  return { ...shared, failure: { message: `line ${failure.line}: ${failure.message}`, text } }
}
