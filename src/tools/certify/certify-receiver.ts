import { Problem } from '../../domain/problem.ts'
import { escapeToOneLine } from '../../domain/text.ts'
import { webhookFailures } from '../../domain/webhooks/delivery.ts'
import { noConnection } from '../../ports/webhook-sender.ts'
import * as schemas from '../../wire/json-schema.ts'
import {
  bool,
  count,
  countOrNull,
  field,
  id,
  listOf,
  oneOf,
  text,
  textOrNull,
  view,
} from '../../wire/view.ts'
import { type JunitCase, writeJunit } from '../junit.ts'
import { answerCases, answerTime, type Case, firstCase } from './answer-cases.ts'
import { type Finding, failed, isTooLate, notJudged, type Result, results } from './finding.ts'
import {
  createProbe,
  type Exchange,
  type Probe,
  type ReceiverToProbe,
  StateFault,
} from './probe.ts'
import { stateCases } from './state-cases.ts'

export interface JudgedCase extends Finding, Pick<Case, 'name' | 'title'> {
  /** Advice; null if nothing has to be done. */
  readonly advice: string | null
  readonly exchanges: readonly Exchange[]
}

export interface Certificate {
  /** The address without its query, which may contain a secret. */
  readonly url: string
  /** Whether no case failed. */
  readonly isCertified: boolean
  readonly cases: readonly JudgedCase[]
}

/** Runs the cases one after the other, because a receiver may be slow. */
export async function certifyReceiver(receiver: ReceiverToProbe): Promise<Certificate> {
  const probe = createProbe(receiver)
  const hasState = receiver.stateUrl !== undefined
  const cases: JudgedCase[] = []
  for (const each of [...answerCases, ...stateCases, answerTime]) {
    const { name, title, advice } = each
    const why = whyNotJudged(each, { cases, probe, hasState })
    const before = probe.exchanges.length
    const finding = why === undefined ? await runCase(each, probe) : notJudged(why)
    const exchanges = probe.exchanges.slice(before)
    if (name === firstCase) requireConnection(receiver.url, exchanges)
    const hasAdvice = finding.result === 'failed' || finding.result === 'warning'
    cases.push({ name, title, ...finding, advice: hasAdvice ? advice : null, exchanges })
  }
  const { origin, pathname } = new URL(receiver.url)
  const isCertified = cases.every(({ result }) => result !== 'failed')
  return { url: `${origin}${pathname}`, isCertified, cases }
}

async function runCase({ run }: Case, probe: Probe): Promise<Finding> {
  try {
    return await run(probe)
  } catch (error) {
    if (error instanceof StateFault) return failed(error.message)
    throw error
  }
}

/**
 * After this number of late answers, no further case is judged: each wait is long, and more waits show nothing new.
 */
const maximumLateAnswers = 3

function whyNotJudged(
  each: Case,
  {
    cases,
    probe,
    hasState,
  }: {
    readonly cases: readonly JudgedCase[]
    readonly probe: Probe
    readonly hasState: boolean
  },
): string | undefined {
  if (each === answerTime) return undefined
  const needed = each.needs ?? firstCase
  const found = cases.find(({ name }) => name === needed)?.result
  const hasPassed = found === 'passed' || found === 'warning'
  if (each.needsState && !hasState) return 'This case needs --state-url.'
  if (each.name !== firstCase && !hasPassed) return `${needed} has to pass first.`
  const late = probe.exchanges.filter(({ outcome }) => isTooLate(outcome)).length
  return late < maximumLateAnswers ? undefined : `${late} requests got no answer in time.`
}

/** A receiver that does not run cannot be judged. */
function requireConnection(url: string, [first]: readonly Exchange[]): void {
  if (!first) return
  const { failure, detail } = first.outcome
  const isUnreached = failure !== null && unreached.includes(failure)
  if (!isUnreached && !detail?.startsWith(noConnection)) return
  const { origin } = new URL(url)
  throw new Problem(
    'SERVICE_UNAVAILABLE',
    `The receiver at ${origin} cannot be reached: ${detail} Start it, or correct the URL.`,
  )
}

const unreached: readonly string[] = ['refused_address', 'dns', 'connect', 'tls']

const words: Readonly<Record<Result, string>> = {
  passed: 'passed',
  warning: 'warning',
  failed: 'FAILED',
  skipped: 'not judged',
}

const resultWidth = 12

export function describeCertificate({ isCertified, cases }: Certificate): string[] {
  const width = Math.max(...cases.map(({ name }) => name.length)) + 2
  const lines = cases.flatMap(({ name, result, detail, advice }) => [
    `${words[result].padEnd(resultWidth)}${name.padEnd(width)}${escapeToOneLine(detail)}`,
    ...(advice === null ? [] : [`${' '.repeat(resultWidth)}-> ${advice}`]),
  ])
  const counted = results
    .map((result) => [countOf(cases, result), words[result].toLowerCase()] as const)
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
  const verdict = isCertified ? 'No case failed' : 'The receiver is not ready'
  return [...lines, '', `${verdict}: ${counted.join(', ')}.`]
}

function countOf(cases: readonly JudgedCase[], wanted: Result): number {
  return cases.filter(({ result }) => result === wanted).length
}

const receiverRequest = view<Exchange>()('Receiver request', {
  event_id: id('Id of the fictitious event.', (it) => it.event.id),
  type: text('Event type.', (it) => it.event.type),
  attempt_id: id('Value of X-Service-Webhook-Id.', (it) => it.attemptId),
  status: countOrNull('HTTP status of the answer.', (it) => it.outcome.status),
  failure: field(
    schemas.orNull(schemas.oneOf(webhookFailures, 'Why the event was not accepted.')),
    (it: Exchange) => it.outcome.failure,
  ),
  duration_ms: count('Time to the answer, in milliseconds.', (it) => it.outcome.durationMs),
})

const receiverCase = view<JudgedCase>()('Receiver case', {
  case: text('Name of the case.', (it) => it.name),
  title: text('What a receiver should do.', (it) => it.title),
  result: oneOf(
    results,
    'Result of the case; `skipped` means that it was not judged.',
    (it) => it.result,
  ),
  detail: text('Explanation for people.', (it) => it.detail),
  advice: textOrNull('What to do about the result.', (it) => it.advice),
  requests: listOf(receiverRequest, 'The requests, in sequence.', (it) => it.exchanges),
})

export const receiverCertificate = view<Certificate>()('Receiver certificate', {
  url: text('URL of the receiver, without its query.', (it) => it.url),
  certified: bool('True if no case failed.', (it) => it.isCertified),
  passed: count('Number of cases that passed.', (it) => countOf(it.cases, 'passed')),
  warnings: count('Number of cases that passed, but need attention.', (it) =>
    countOf(it.cases, 'warning'),
  ),
  failed: count('Number of cases that failed.', (it) => countOf(it.cases, 'failed')),
  skipped: count('Number of cases that were not judged.', (it) => countOf(it.cases, 'skipped')),
  cases: listOf(receiverCase, 'The cases, in sequence.', (it) => it.cases),
})

export function reportCertificate(file: string, { url, cases }: Certificate): Promise<void> {
  return writeJunit(file, { name: `webhook certify ${url}`, cases: cases.map(junitCaseOf) })
}

function junitCaseOf(judged: JudgedCase): JunitCase {
  const { name, title, result, detail, advice, exchanges } = judged
  const milliseconds = exchanges.reduce((sum, { outcome }) => sum + outcome.durationMs, 0)
  const shared = {
    classname: 'coopshare.webhook.certify',
    name: `${name}: ${title}`,
    seconds: milliseconds / 1000,
  }
  if (result === 'skipped') return { ...shared, skipped: `Not judged: ${detail}` }
  if (result !== 'failed') return { ...shared, output: detail }
  return { ...shared, failure: { message: detail, text: `${detail}\n${advice}` } }
}
