import { promisify } from 'node:util'
import { importLocked, lockedFolder } from '../packages/locked-packages.ts'
import {
  defineNeed,
  fetchToken,
  folders,
  keep as keepScript,
  type Step,
  trimBaseUrl,
  variables,
} from './collection-steps.ts'

type Content = Readonly<Record<string, { readonly examples?: unknown }>>

interface Operation {
  readonly operationId: string
  readonly security?: readonly unknown[]
  readonly requestBody?: { readonly required?: boolean }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

interface Document {
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const options = {
  parametersResolution: 'Example',
  enableOptionalParameters: false,
  // Fields without an example stay empty, because invented values would differ in each run.
  schemaFaker: false,
  includeAuthInfoInExample: false,
}

/**
 * Builds a Postman collection v2.1 that requests its own token and passes ids from request to
 * request.
 */
export async function buildCollection(document: Document): Promise<unknown> {
  requireSteps(document)
  const items = await convert(document)
  const itemOf = (step: Step, isNeeded: boolean) => {
    const { operation, address } = findOperation(document, step)
    const item = items.find(({ request }) => addressOf(request) === address)
    if (!item) throw new Error(`The converter left out ${address}.`)
    return arrangeItem(item, { step, operation, isNeeded })
  }
  return {
    info: {
      name: `${document.info.title} ${document.info.version}`,
      description:
        'Set baseUrl, clientId and clientSecret of a client with all scopes, either here or in an environment. Then run the collection from top to bottom. It requests its own token and places an order. If a response does not contain what the next request needs, the run stops. The values here are those of the demo data.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{accessToken}}', type: 'string' }] },
    event: [scriptOn('prerequest', [...trimBaseUrl, ...fetchToken])],
    variable: Object.entries({ ...variables, version: document.info.version }).map(
      ([key, value]) => ({ key, value }),
    ),
    item: folders.map(({ steps, isChain, ...folder }) => ({
      ...folder,
      item: steps.map((step) => itemOf(step, isChain)),
    })),
  }
}

/** Without this check, a new operation would silently be missing from the collection. */
function requireSteps({ paths }: Document): void {
  const known = new Set(folders.flatMap(({ steps }) => steps.map((step) => step.operationId)))
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  for (const { operationId } of operations) {
    if (operationId !== undefined && !known.has(operationId)) {
      throw new Error(
        `The collection has no step for ${operationId}. Add one in collection-steps.ts.`,
      )
    }
  }
}

const importConverter = () =>
  importLocked<typeof import('openapi-to-postmanv2')>(
    lockedFolder('contract'),
    'openapi-to-postmanv2',
  )

async function convert(document: Document): Promise<Item[]> {
  const { default: converter } = await importConverter()
  const run = promisify(converter.convertV2.bind(converter))
  const { result, reason, output } = await run({ type: 'json', data: document }, options)
  if (!result) throw new Error(`The contract has no collection: ${reason}`)
  return itemsIn(output[0].data)
}

function itemsIn(folder: Folder): Item[] {
  return folder.item.flatMap((one) => ('request' in one ? [one] : itemsIn(one)))
}

function findOperation({ paths }: Document, { operationId }: Step) {
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (operation.operationId !== operationId) continue
      return { operation, address: `${method.toUpperCase()} ${pathInCollection(path)}` }
    }
  }
  throw new Error(`The contract has no operation ${operationId}.`)
}

/** A whole segment becomes `:id`, and a part of a segment becomes `{{version}}`. */
function pathInCollection(path: string): string {
  return path.replaceAll(/\/\{(\w+)\}(?=\/|$)/g, '/:$1').replaceAll(/\{(\w+)\}/g, '{{$1}}')
}

function addressOf({ method, url }: Request): string {
  return `${method} /${url.path.join('/')}`
}

interface Arrangement {
  readonly step: Step
  readonly operation: Operation
  /** Whether later requests use the answer. */
  readonly isNeeded: boolean
}

/** Completes a converted request, so that it can run together with the others. */
function arrangeItem({ name, request, response }: Item, arrangement: Arrangement) {
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

/** Dates consents and signatures with the time of the run. */
function stampNow(text: string): string {
  return text.replaceAll(/"\d{4}-\d{2}-\d{2}T[^"]+"/g, '"{{$isoTimestamp}}"')
}

/** Removes the quotes around a variable that stands for a number. */
function unquote(text: string, value: string): string {
  return text.replace(JSON.stringify(value), value)
}

/**
 * Keeps only successful responses with an example. The converter invents all other responses, and
 * errors are in the contract.
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

/** The parts of a Postman collection v2.1 that are used here. */
export interface Pair {
  readonly key: string
  readonly value: string
  readonly disabled?: boolean
}

export interface Request {
  readonly method: string
  readonly url: {
    readonly path: readonly string[]
    readonly query: readonly Pair[]
    readonly variable: readonly Pair[]
  }
  readonly header: readonly Pair[]
  readonly description?: { readonly content?: string }
  readonly body?: {
    readonly mode?: string
    readonly raw?: string
    readonly urlencoded?: readonly Pair[]
  }
  readonly auth?: unknown
}

interface SavedResponse {
  readonly name: string
  readonly code: number
  readonly status: string
  readonly header: readonly Pair[]
  readonly body?: string
}

export interface Item {
  readonly name: string
  readonly request: Request
  readonly response: readonly SavedResponse[]
}

export interface Folder {
  readonly item: readonly (Item | Folder)[]
}

function scriptOn(listen: 'prerequest' | 'test', exec: readonly string[]) {
  return { listen, script: { type: 'text/javascript', exec } }
}
