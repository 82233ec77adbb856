import type { Operation } from './build-collection.ts'
import type { Step } from './collection-steps.ts'
import { type Item, type Pair, type Request, type SavedResponse, scriptOn } from './postman.ts'

interface Arrangement {
  readonly step: Step
  readonly operation: Operation
}

/** A request as the converter made it, with what lets it run among the others. */
export function arrangeItem({ name, request, response }: Item, arrangement: Arrangement) {
  const { step, operation } = arrangement
  return {
    name,
    request: arrangeRequest(request, arrangement),
    response: response.filter((saved) => isReal(saved, operation)).map(keepAnswer),
    event: [
      ...(step.before ? [scriptOn('prerequest', step.before)] : []),
      scriptOn('test', testsOf(step)),
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
    // A body that may be left out is.
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

function fillBody(body: NonNullable<Request['body']>, { body: fields, form }: Step) {
  const { raw, urlencoded } = body
  if (urlencoded) return { ...body, urlencoded: urlencoded.map((pair) => fill(pair, form)) }
  if (!fields || raw === undefined) return body
  return { ...body, raw: JSON.stringify({ ...JSON.parse(raw), ...fields }, null, 2) }
}

/** Only what went well and has an example: the converter invents the rest, and the errors are in the contract. */
function isReal({ code }: SavedResponse, { responses }: Operation): boolean {
  return code < 300 && responses[code]?.content !== undefined
}

function keepAnswer({ name, code, status, header, body }: SavedResponse) {
  return { name, code, status, header: header.filter(({ value }) => value !== ''), body }
}

function testsOf({ status, expect = [], keep = {} }: Step): string[] {
  const expectation = [
    "pm.test('answers what was expected', () => {",
    ...expect.map((line) => `  ${line}`),
    '})',
  ]
  return [
    `pm.test('answers ${status}', () => pm.response.to.have.status(${status}))`,
    ...(expect.length > 0 ? expectation : []),
    ...Object.entries(keep).map(
      ([name, path]) => `pm.collectionVariables.set('${name}', pm.response.json().${path})`,
    ),
  ]
}
