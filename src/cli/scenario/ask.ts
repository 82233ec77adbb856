import { FetchError, ofetch } from 'ofetch'
import { findDifference, Mismatch, requireEqual } from './mismatch.ts'

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

/** The user of the command names every address. */
export async function ask({ url, method, headers = {}, json }: Question): Promise<Answer> {
  try {
    const {
      status,
      headers: answered,
      _data,
    } = await ofetch.raw<string, 'text'>(url, {
      method,
      headers: { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...{ retry: 0, timeout: timeoutMs, redirect: 'manual', ignoreResponseError: true },
      responseType: 'text',
    })
    return { status, headers: answered, body: parse(_data ?? '') }
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    throw new LostAnswer(`${method} ${url} got no answer: ${reasonOf(error)}.`)
  }
}

function reasonOf(error: unknown): string {
  const { cause, code } = error as NodeJS.ErrnoException
  if (typeof code === 'string') return code
  return cause instanceof Error ? reasonOf(cause) : 'the connection was lost'
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

interface WantedAnswer {
  readonly status?: number | undefined
  readonly json?: unknown
}

const leastError = 400

export function requireAnswer(
  { url, method }: Question,
  { status, body }: Answer,
  { status: wanted, json }: WantedAnswer,
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

/** @param lost whether the answer has to get lost; undefined if it was */
export async function askOrLose(
  question: Question,
  lost: boolean | undefined,
): Promise<Answer | undefined> {
  try {
    const answer = await ask(question)
    if (lost) requireEqual('What becomes of the answer', 'lost', `status ${answer.status}`)
    return answer
  } catch (error) {
    if (lost && error instanceof LostAnswer) return undefined
    throw error
  }
}
