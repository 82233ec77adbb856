import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { timestampError } from '../domain/timestamp.ts'
import {
  type ApiDocument,
  type Content,
  type Located,
  locate,
  type Operation,
  type Place,
  pointerOf,
  type ResponseObject,
  type Schema,
} from './document.ts'

/** An answer that can be compared with a document. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed JSON, or the text if it is not JSON. */
  readonly body: unknown
  /** An answer to HEAD has the headers of a body that it does not have. */
  readonly isToHead?: boolean
}

/**
 * Without these, a check accepts what partners must accept, and names the first fault of a body,
 * because a foreign body can have any number of them.
 */
export interface Strictness {
  /**
   * Refuses fields, headers, and values of lists that the document does not have. Partners must
   * ignore these, because later versions may add them.
   */
  readonly refusesAdditions?: boolean
  /** Refuses the forms of ISO 8601 that only requests may have. */
  readonly requiresRfc3339?: boolean
  readonly namesAllFaults?: boolean
}

/** Compares with one document. A fault starts with its place, and none means that all is right. */
export interface ContractCheck {
  /** The faults of a value according to the schema at a place of the document. */
  findFaults(schema: Place, value: unknown): readonly string[]
  /** The faults of an answer according to the response at that place. */
  findAnswerFaults(response: Place, answer: Answer): readonly string[]
  /** The faults of the body of a request to the operation at that place. */
  findRequestFaults(operation: Place, mediaType: string, body: unknown): readonly string[]
  findEventFaults(
    type: string,
    event: { readonly headers: Headers; readonly body: unknown },
  ): readonly string[]
}

export function createContractCheck(
  published: ApiDocument,
  strictness: Strictness = {},
): ContractCheck {
  const document = strictness.refusesAdditions ? withoutAdditions(published) : published
  const { version } = document.info
  const findFaults = createValidator(document, strictness)
  return {
    findFaults,
    findAnswerFaults(place, answer) {
      const response = locate<ResponseObject>(document, place)
      if (!response) return [`${answer.status}: no such status in ${version}`]
      const documented = Object.keys(response.part.headers ?? {})
      // A response without an operation is one for several paths, and does not name all headers.
      const isComplete = strictness.refusesAdditions && place[0] === 'paths'
      return [
        ...documented.flatMap((name) =>
          findHeaderFaults([...response.place, 'headers', name], name, answer.headers),
        ),
        ...(isComplete ? findSurplusHeaders(documented, answer.headers) : []),
        ...findBodyFaults(response, answer),
      ]
    },
    findRequestFaults(place, mediaType, body) {
      const request = locate<{ readonly content: Content }>(document, [...place, 'requestBody'])
      if (!request) return body === '' ? [] : ['there is an unexpected body']
      if (!request.part.content[mediaType]) {
        return [`content-type: ${mediaType || 'none'} is not in ${version}`]
      }
      if (!mediaType.endsWith('json')) return []
      return findFaults([...request.place, 'content', mediaType, 'schema'], body)
    },
    findEventFaults(type, { headers, body }) {
      const place = ['webhooks', type, 'post']
      const event = locate<Operation>(document, place)
      if (!event) return [`no event ${type} in ${version}`]
      return [
        ...(event.part.parameters ?? []).flatMap((_, index) => {
          const parameter = [...place, 'parameters', String(index)]
          const name = locate<{ readonly name: string }>(document, parameter)?.part.name ?? ''
          return findHeaderFaults(parameter, name, headers)
        }),
        ...findFaults(eventSchema(type), body),
      ]
    },
  }

  function findHeaderFaults(at: Place, name: string, headers: Headers): readonly string[] {
    const header = locate<{ readonly required?: boolean; readonly schema: Schema }>(document, at)
    if (!header) return []
    const sent = headers.get(name)
    if (sent === null) return header.part.required ? [`header ${name} is missing`] : []
    // Number('') would be 0, so other text stays as it is.
    const isNumber = header.part.schema.type === 'integer' && /^-?\d+$/.test(sent)
    const faults = findFaults([...header.place, 'schema'], isNumber ? Number(sent) : sent)
    return faults.map((fault) => `header ${name} ${fault.replace('/ ', '')}`)
  }

  function findBodyFaults(
    { part: { content }, place }: Located<ResponseObject>,
    { headers, text, body, isToHead }: Answer,
  ): readonly string[] {
    if (!content) return text === '' ? [] : ['there is an unexpected body']
    const type = headers.get('content-type')?.split(';', 1)[0] ?? 'none'
    const media = content[type]
    if (!media) return [`content-type: ${type} is not in ${version}`]
    if (isToHead) return text === '' ? [] : ['there is a body in an answer to HEAD']
    if (!media.schema) return []
    return findFaults([...place, 'content', type, 'schema'], type.endsWith('json') ? body : text)
  }
}

export function eventSchema(type: string): Place {
  return ['webhooks', type, 'post', 'requestBody', 'content', 'application/json', 'schema']
}

/**
 * Headers that no document describes, because HTTP needs them or because they keep browsers from
 * guessing.
 */
const standing = [
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'x-content-type-options',
]

function findSurplusHeaders(documented: readonly string[], headers: Headers): string[] {
  const known = new Set([...standing, ...documented.map((name) => name.toLowerCase())])
  const surplus = [...headers.keys()].filter((name) => !known.has(name))
  return surplus.map((name) => `header ${name} is not documented`)
}

/** The address that the service has for itself, and the path that was asked for, where they are known. */
interface Asked {
  readonly issuer?: string | undefined
  readonly path?: string
}

/** Compares values of a problem that must agree in two places, because a schema cannot compare them. */
export function findProblemFaults(
  { status, headers, body }: Answer,
  { issuer, path }: Asked = {},
): readonly string[] {
  if (!isObject(body)) return []
  const { code = 'INTERNAL_SERVER_ERROR', type, instance, trace_id: trace, errors } = body
  const end = `/errors/${String(code).toLowerCase().replaceAll('_', '-')}`
  const isOfCode = typeof type === 'string' && type.endsWith(end)
  const isTraced = trace === undefined || trace === headers.get('x-request-id')
  return [
    ...(issuer !== undefined ? findMismatch('/type', type, `${issuer}${end}`) : []),
    ...(issuer !== undefined || isOfCode ? [] : [`/type does not match ${code}`]),
    ...(path !== undefined ? findMismatch('/instance', instance, path) : []),
    ...(isTraced ? [] : ['/trace_id does not match the X-Request-Id of the response']),
    ...findMismatch('/status', body['status'], status),
    ...(errors && status !== 422 ? [`/errors is present with status ${status}`] : []),
    ...findChallengeFaults(headers, body),
  ]
}

function findMismatch(place: string, found: unknown, wanted: unknown): string[] {
  if (found === wanted) return []
  return [`${place} is ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`]
}

/** Status 403 has several codes, and only one of them has a challenge. */
function findChallengeFaults(
  headers: Headers,
  { code, required_scopes: scopes }: Readonly<Record<string, unknown>>,
): string[] {
  const sent = headers.get('www-authenticate')
  const listed = Array.isArray(scopes) ? scopes.join(' ') : ''
  const challenge = `Bearer error="insufficient_scope", scope="${listed}"`
  if (code === 'INSUFFICIENT_SCOPE' && sent !== challenge) {
    return [`header WWW-Authenticate is ${sent} instead of ${challenge}`]
  }
  const isSurplus = code === 'FORBIDDEN' && sent !== null
  return isSurplus ? [`header WWW-Authenticate is ${sent} with FORBIDDEN`] : []
}

function createValidator(document: ApiDocument, strictness: Strictness) {
  // A check lints our documents. Checking their schemas again would take a second, and optimizing
  // the validators half of the time that compiling them takes.
  const ajv = new Ajv2020({
    allErrors: strictness.namesAllFaults ?? false,
    strict: false,
    validateSchema: false,
    code: { optimize: false },
  })
  formats.default(ajv)
  // Its format is that of RFC 3339. Requests may have more of ISO 8601, and patterns are exact.
  if (!strictness.requiresRfc3339) {
    ajv.addFormat('date-time', (text: string) => timestampError(text) === undefined)
  }
  ajv.addSchema(document, 'contract')
  // Compiling takes far longer than validating, and most places are used repeatedly.
  const compiled = new Map<string, ValidateFunction>()
  return (place: Place, value: unknown): readonly string[] => {
    const $ref = `contract${pointerOf(place)}`
    const validate = compiled.get($ref) ?? ajv.compile({ $ref })
    compiled.set($ref, validate)
    return validate(value) ? [] : (validate.errors ?? []).map(describe)
  }
}

function describe({ instancePath, keyword, message, params }: ErrorObject): string {
  if (keyword === 'required') return `${instancePath}/${params['missingProperty']} is missing`
  if (keyword === 'additionalProperties') {
    return `${instancePath}/${params['additionalProperty']} is not documented`
  }
  return `${instancePath || '/'} ${message}`
}

type Node = Readonly<Record<string, unknown>>

/**
 * Closes the objects of answers, and the lists that can grow. Published documents leave both open,
 * because partners must ignore what they do not know.
 */
function withoutAdditions(document: ApiDocument): ApiDocument {
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => [
    name,
    name.endsWith('Request') ? schema : change(schema, closeObject, refinements),
  ])
  const components = { ...document.components, schemas: Object.fromEntries(schemas) }
  return change({ ...document, components }, closeList) as ApiDocument
}

/** Their parts describe an object that is closed where its properties are listed. */
const refinements = ['allOf', 'not']

function change(
  node: unknown,
  close: (node: Node) => Node,
  unchanged: readonly string[] = [],
): unknown {
  if (Array.isArray(node)) return node.map((part) => change(part, close, unchanged))
  if (!isObject(node)) return node
  const inner = Object.entries(node).map(
    ([key, value]) =>
      [key, unchanged.includes(key) ? value : change(value, close, unchanged)] as const,
  )
  return close(Object.fromEntries(inner))
}

function closeObject(node: Node): Node {
  const { type, properties, additionalProperties } = node
  const mayBeObject = [type].flat().includes('object')
  const isOpen = mayBeObject && properties !== undefined && additionalProperties === undefined
  return isOpen ? { ...node, additionalProperties: false } : node
}

function closeList(node: Node): Node {
  const known = node['x-extensible-enum']
  return Array.isArray(known) ? { ...node, enum: known } : node
}

function isObject(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
