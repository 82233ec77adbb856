import type { Operation } from './build-collection.ts'
import { defineNeed, keep as keepScript } from './collection-scripts.ts'
import type { Step } from './collection-steps.ts'
import { type Item, type Pair, type Request, type SavedResponse, scriptOn } from './postman.ts'

interface Arrangement {
  readonly step: Step
  readonly operation: Operation
  /** Later requests use its answer. */
  readonly isNeeded: boolean
}

/** Completes a converted request, so that it runs among the others. */
export function arrangeItem({ name, request, response }: Item, arrangement: Arrangement) {
  const { step, operation, isNeeded } = arrangement
  return {
    name: step.name ?? name,
    request: arrangeRequest(request, arrangement),
    response: response.filter((saved) => isReal(saved, operation)).map(keepAnswer),
    event: [
      ...(step.before ? [scriptOn('prerequest', step.before)] : []),
      scriptOn('test', testsOf(step, isNeeded)),
    ],
  }
}

function arrangeRequest(request: Request, { step, operation }: Arrangement) {
  const { method, url, header, body, description } = request
  return {
    method,
    ...(description?.content && { description }),
    ...authOf(operation),
    url: {
      ...url,
      query: url.query.map((pair) => fill(pair, step.query)),
      variable: url.variable.map((pair) => fill(pair, step.path)),
    },
    header: header.map((pair) => fill(pair, step.headers)),
    // An optional body is left out.
    ...(body?.mode && operation.requestBody?.required && { body: fillBody(body, step) }),
  }
}

function authOf({ operationId, security }: Operation) {
  if (security?.length === 0) return { auth: { type: 'noauth' } }
  if (operationId !== 'issueToken') return {}
  return {
    auth: {
      type: 'basic',
      basic: [
        { key: 'username', value: '{{clientId}}', type: 'string' },
        { key: 'password', value: '{{clientSecret}}', type: 'string' },
      ],
    },
  }
}

function fill(pair: Pair, values: Readonly<Record<string, string>> = {}): Pair {
  const { disabled, ...kept } = pair
  const value = values[pair.key]
  if (value !== undefined) return { ...kept, value }
  return disabled ? { ...kept, disabled } : kept
}

function fillBody(body: NonNullable<Request['body']>, { body: fields, numbers = {}, form }: Step) {
  const { raw, urlencoded } = body
  if (urlencoded) return { ...body, urlencoded: urlencoded.map((pair) => fill(pair, form)) }
  if (raw === undefined) return body
  const text = JSON.stringify({ ...JSON.parse(raw), ...fields, ...numbers }, null, 2)
  return { ...body, raw: Object.values(numbers).reduce(unquote, stampNow(text)) }
}

/**
 * Consents and signatures are dated when the request runs, whatever the clock of that machine says.
 */
function stampNow(text: string): string {
  return text.replaceAll(/"\d{4}-\d{2}-\d{2}T[^"]+"/g, '"{{$isoTimestamp}}"')
}

/** Removes the quotes around a variable that stands for a number. */
function unquote(text: string, value: string): string {
  return text.replace(JSON.stringify(value), value)
}

/**
 * Keeps only successful responses with an example: the converter invents the others, and the
 * contract has the errors.
 */
function isReal({ code }: SavedResponse, { responses }: Operation): boolean {
  return code < 300 && Object.values(responses[code]?.content ?? {}).some(hasExamples)
}

function hasExamples({ examples }: { readonly examples?: unknown }): boolean {
  return examples !== undefined
}

function keepAnswer({ name, code, status, header, body }: SavedResponse) {
  return { name, code, status, header: header.filter(({ value }) => value !== ''), body }
}

function testsOf({ status, expect = [], keep = {} }: Step, isNeeded: boolean): string[] {
  const test = isNeeded ? 'need' : 'pm.test'
  const ofBody = [...expect, ...keepScript(keep)]
  const expectation = [
    `if (pm.response.code === ${status}) ${test}('the response is as expected', () => {`,
    '  const body = pm.response.json()',
    ...ofBody.map((line) => `  ${line}`),
    '})',
  ]
  return [
    ...(isNeeded ? defineNeed : []),
    `${test}('the status is ${status}', () => pm.expect(pm.response.code, pm.response.text()).to.equal(${status}))`,
    ...(ofBody.length > 0 ? expectation : []),
  ]
}
