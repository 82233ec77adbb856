import { ofetch } from 'ofetch'
import { parseJsonOrText, parseUrl } from '../../domain/text.ts'
import {
  findClient,
  findCooperative,
  findNamedInvestor,
  issueToken,
  type ScenarioContext,
} from './context.ts'
import { requireSame } from './exchanges.ts'
import { findDifference, Mismatch, requireEqual } from './mismatch.ts'
import { splitMethod } from './read-scenario.ts'
import type { StepValue } from './step-shapes.ts'
import { capture } from './variables.ts'

export async function placeOrder(
  context: ScenarioContext,
  wanted: StepValue<'order'>,
): Promise<void> {
  const { service, startedAt } = context
  const { clientId, organizationId } = await findClient(context, wanted.client)
  const { investorId } = await findNamedInvestor(context, organizationId, wanted.investor)
  const { id } = await findCooperative(context, wanted.cooperative)
  const question = {
    url: `${service.baseUrl}/v1/investors/${investorId}/share-purchases`,
    method: 'POST',
    headers: {
      authorization: `Bearer ${await issueToken(context, clientId)}`,
      ...(wanted.idempotency_key !== undefined && { 'idempotency-key': wanted.idempotency_key }),
    },
    json: {
      cooperative_id: id,
      share_count: wanted.shares,
      sepa_mandate: { signed_at: startedAt },
      statute_consent_given_at: startedAt,
    },
  }
  const answer = await askOrLose(question, wanted.lost)
  if (!answer) return
  const { as, replayed, refused } = wanted
  if (refused !== undefined) {
    const { status, body } = answer
    const { code = null } = Object(body) as { readonly code?: unknown }
    const actual = { code, ...(code !== refused && { status, body }) }
    requireEqual('The refusal', { code: refused }, actual)
    return
  }
  requireAnswer(question, answer, { status: 201 })
  if (replayed !== undefined) {
    const isReplay = answer.headers.get('idempotent-replayed') === 'true'
    requireEqual('The value of Idempotent-Replayed', replayed, isReplay)
  }
  if (as !== undefined) capture({ [as]: 'share_purchase_id' }, answer.body, context.variables)
}

type WantedRequest = { readonly url: string } & Partial<Exclude<StepValue<'call'>, string>>

export async function request(
  context: ScenarioContext,
  value: StepValue<'call'>,
  usualMethod: 'GET' | 'POST',
): Promise<void> {
  const wanted: WantedRequest = typeof value === 'string' ? { url: value } : value
  const { method, target } = splitMethod(wanted.url)
  const usual = wanted.json === undefined ? usualMethod : 'POST'
  const isOwn = target.startsWith('/')
  const authorization = isOwn ? await authorize(context, wanted) : {}
  const headers = { ...authorization, ...wanted.headers }
  const question = {
    url: isOwn ? `${context.service.baseUrl}${target}` : target,
    method: (wanted.method ?? method ?? usual).toUpperCase(),
    headers,
    json: wanted.json,
  }
  requireUrl(question.url)
  const answer = await askOrLose(question, wanted.lost)
  if (!answer) return
  requireAnswer(question, answer, { status: wanted.status, json: wanted.answer })
  capture(wanted.capture, answer.body, context.variables)
}

export function requireUrl(url: string): void {
  if (/^https?:/.test(url) && parseUrl(url)) return
  throw new Mismatch(`${url} must start with $APP, or be a path such as /v1/me.`)
}

async function authorize(
  context: ScenarioContext,
  { token = '', client }: WantedRequest,
): Promise<Readonly<Record<string, string>>> {
  if (token === 'none') return {}
  const { clientId } = await findClient(context, client)
  const accessToken = context.tokens.get(token) ?? (await issueToken(context, clientId))
  if (token !== '') context.tokens.set(token, accessToken)
  return { authorization: `Bearer ${accessToken}` }
}

export async function awaitRequests(
  context: ScenarioContext,
  wanted: StepValue<'await'>,
): Promise<void> {
  const { operation, count = 1, timeout, same, as, capture: captures } = wanted
  const body = { operation, count, ...(timeout !== undefined && { timeout }) }
  const exchanges = await context.service.bench('bench.await_exchanges', body)
  requireSame(exchanges, same)
  if (as === undefined && captures === undefined) return
  const last = exchanges.findLast(({ response_body }) => response_body !== '')
  if (!last) throw new Mismatch(`No request of ${operation} was answered.`)
  const named = as === undefined ? {} : { [as]: 'share_purchase_id' }
  capture({ ...named, ...captures }, parseJsonOrText(last.response_body), context.variables)
}

export interface Question {
  readonly url: string
  readonly method: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly json?: unknown
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The parsed JSON, or the text if it is not JSON. */
  readonly body: unknown
}

/** The connection broke, or there was none. */
class LostAnswer extends Mismatch {}

const timeoutMs = 60_000

/** Any address is allowed, because the user of the command names it. */
export async function ask({ url, method, headers = {}, json }: Question): Promise<Answer> {
  const sent = {
    method,
    headers: { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  }
  try {
    new Request(url, sent)
  } catch (error) {
    // A request that cannot be sent is not a lost answer.
    throw new Mismatch(`${method} ${url} cannot be sent: ${(error as Error).message}`)
  }
  try {
    const {
      status,
      headers: answered,
      _data,
    } = await ofetch.raw<string, 'text'>(url, {
      ...sent,
      retry: 0,
      timeout: timeoutMs,
      redirect: 'manual',
      ignoreResponseError: true,
      responseType: 'text',
    })
    return { status, headers: answered, body: parseJsonOrText(_data ?? '') }
  } catch (error) {
    if (isTimeOut(error))
      throw new Mismatch(`${method} ${url} got no answer within ${timeoutMs / 1000} s.`)
    throw new LostAnswer(`${method} ${url} got no answer: ${reasonOf(error)}.`)
  }
}

function isTimeOut(error: unknown): boolean {
  const { name, cause } = Object(error) as Partial<Error>
  return name === 'TimeoutError' || (cause !== undefined && isTimeOut(cause))
}

function reasonOf(error: unknown): string {
  const { cause, code } = error as NodeJS.ErrnoException
  if (typeof code === 'string') return code
  return cause instanceof Error ? reasonOf(cause) : 'the connection was lost'
}

const leastError = 400

export function requireAnswer(
  { url, method }: Question,
  { status, body }: Answer,
  { status: wanted, json }: { readonly status?: number | undefined; readonly json?: unknown },
): void {
  const what = `The answer to ${method} ${url}`
  if (wanted === undefined && status >= leastError) {
    throw new Mismatch(`${what} is an error.`, {
      expected: { status: `below ${leastError}` },
      actual: { status, body },
    })
  }
  if (wanted !== undefined && wanted !== status) {
    throw new Mismatch(`${what} has another status.`, {
      expected: { status: wanted },
      actual: { status, body },
    })
  }
  const difference = json === undefined ? undefined : findDifference(json, body)
  if (difference === undefined) return
  throw new Mismatch(`${what} differs: ${difference}.`, { expected: json, actual: body })
}

/** @param lost whether the answer has to be lost. @returns undefined if it was lost */
async function askOrLose(
  question: Question,
  lost: boolean | undefined,
): Promise<Answer | undefined> {
  try {
    const answer = await ask(question)
    if (lost) requireEqual('The outcome of the request', 'lost', `status ${answer.status}`)
    return answer
  } catch (error) {
    if (lost && error instanceof LostAnswer) return undefined
    throw error
  }
}
