import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { array, boolean, is, optional, string, type } from 'superstruct'
import { isEmail } from '../domain/investors/profile.ts'
import { timestampError } from '../domain/timestamp.ts'

/** A contract to which a deployment can be compared. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed JSON, or the text if it is not JSON. */
  readonly body: unknown
  /** An answer to HEAD has the headers of a body that it does not have. */
  readonly isToHead?: boolean
}

/** A published version to check responses against. */
export interface PinnedContract {
  readonly version: string
  /** By name. A deployment serves them byte for byte. */
  readonly files: Documents
  /** With a status: whether the operation has such a response. */
  has(operationId: string, status?: number): boolean
  /** Empty if the operation needs no scope or does not exist in this version. */
  scopesOf(operationId: string): readonly string[]
  /** The first difference, with its place. */
  findDifference(operationId: string, answer: Answer): string | undefined
  /** The first difference of a request body, with its place. */
  findRequestDifference(operationId: string, mediaType: string, body: unknown): string | undefined
  /** The first difference of the body of a webhook, with its place. */
  findEventDifference(type: string, body: unknown): string | undefined
  listAnswers(): readonly DocumentedAnswer[]
  listEventTypes(): readonly string[]
  /** The names of the properties in the answers of an operation that has carried out the request, at every depth. */
  propertiesOf(operationId: string): ReadonlySet<string>
  eventPropertiesOf(type: string): ReadonlySet<string>
}

interface DocumentedAnswer {
  readonly operation: string
  readonly status: number
  /** null for an answer without a code. */
  readonly code: string | null
}

/** Published documents and their manifest, by name. */
export type Documents = Readonly<Record<string, string>>

type Node = Readonly<Record<string, unknown>>

/** Newest first, without drafts. */
export function listPinnedContracts(documents: Documents): PinnedContract[] {
  const versions = publishedIn(JSON.parse(documents['manifest.json'] ?? '{}')) ?? []
  return versions
    .toSorted((left, right) => compareVersions(right, left))
    .map((version) => createPinnedContract(version, filesOf(version, documents)))
}

const Versions = type({
  versions: array(type({ version: string(), draft: optional(boolean()) })),
})

/** A draft may still change, so it is not published. */
export function publishedIn(manifest: unknown): string[] | undefined {
  if (!is(manifest, Versions)) return undefined
  return manifest.versions.filter(({ draft }) => !draft).map(({ version }) => version)
}

export function compareVersions(left: string, right: string): number {
  return left.localeCompare(right, 'en', { numeric: true })
}

function filesOf(version: string, documents: Documents): Documents {
  const files = Object.entries(documents).filter(([name]) => name.startsWith(`${version}.`))
  return Object.fromEntries(files)
}

function createPinnedContract(version: string, files: Documents): PinnedContract {
  const { document, findFault } = readDocument(files[`${version}.json`] ?? '{}')
  return {
    version,
    files,
    has(operationId, status) {
      const place = placeOf(document, operationId)
      if (!place || status === undefined) return place !== undefined
      return follow(document, [...place, 'responses', String(status)]) !== undefined
    },
    scopesOf(operationId) {
      const security = follow(document, placeOf(document, operationId) ?? [])?.node['security']
      return (security as readonly { oauth2?: readonly string[] }[] | undefined)?.[0]?.oauth2 ?? []
    },
    findDifference(operationId, answer) {
      const place = placeOf(document, operationId)
      if (!place) return `no operation ${operationId} in ${version}`
      const response = follow(document, [...place, 'responses', String(answer.status)])
      if (!response) return `${answer.status}: no such status in ${version}`
      const headerFault = findHeaderFault(response, answer)
      return answer.isToHead ? headerFault : (headerFault ?? findBodyFault(response, answer))
    },
    findRequestDifference(operationId, mediaType, body) {
      const place = placeOf(document, operationId)
      if (!place) return `no operation ${operationId} in ${version}`
      const request = follow(document, [...place, 'requestBody'])
      if (!request) return body === '' ? undefined : 'there is an unexpected body'
      const content = request.node['content'] as Node
      if (!content[mediaType]) return `content-type: ${mediaType || 'none'} is not in ${version}`
      if (!mediaType.endsWith('json')) return undefined
      return findFault([...request.place, 'content', mediaType, 'schema'], body)
    },
    findEventDifference(type, body) {
      const place = eventSchemaPlace(type)
      return follow(document, place) ? findFault(place, body) : `no event ${type} in ${version}`
    },
    listAnswers: () =>
      listOperations(document).flatMap(({ place, operation }) =>
        Object.keys((operation['responses'] as Node | undefined) ?? {}).flatMap((status) => {
          const response = follow(document, [...place, 'responses', status])
          const codes = response ? codesOf(document, response) : []
          const answer = { operation: String(operation['operationId']), status: Number(status) }
          const all: readonly (string | null)[] = codes.length === 0 ? [null] : codes
          return all.map((code) => ({ ...answer, code }))
        }),
      ),
    listEventTypes: () => Object.keys((document['webhooks'] as Node | undefined) ?? {}),
    propertiesOf(operationId) {
      const responses = [...(placeOf(document, operationId) ?? []), 'responses']
      const all = Object.keys(follow(document, responses)?.node ?? {})
      const places = all
        .filter((status) => Number(status) < 300)
        .map((status) => follow(document, [...responses, status])?.node['content'])
      return propertiesIn(document, places)
    },
    eventPropertiesOf(type) {
      const { properties } = (follow(document, eventSchemaPlace(type))?.node ?? {}) as SchemaNode
      return propertiesIn(document, properties?.['data'])
    },
  }

  function findHeaderFault({ node, place }: Located, { headers }: Answer): string | undefined {
    for (const name of Object.keys((node['headers'] as Node | undefined) ?? {})) {
      const header = follow(document, [...place, 'headers', name])
      const fault = header && findFaultIn(header, headers.get(name))
      if (fault) return `header ${name} ${fault.replace('/ ', '')}`
    }
    return undefined
  }

  function findFaultIn({ node, place }: Located, sent: string | null): string | undefined {
    if (sent === null) return node['required'] === true ? 'is missing' : undefined
    const { type } = node['schema'] as Node
    return findFault([...place, 'schema'], type === 'integer' ? integerOf(sent) : sent)
  }

  function findBodyFault({ node, place }: Located, answer: Answer): string | undefined {
    const type = answer.headers.get('content-type')?.split(';', 1)[0] ?? 'none'
    const content = node['content'] as Node | undefined
    if (!content) return answer.text === '' ? undefined : 'there is an unexpected body'
    const media = content[type] as Node | undefined
    if (!media) return `content-type: ${type} is not in ${version}`
    if (!media['schema'] || !type.endsWith('json')) return undefined
    return findFault([...place, 'content', type, 'schema'], answer.body)
  }
}

/** Number('') would be 0, so other text stays as it is. */
function integerOf(sent: string): number | string {
  return /^-?\d+$/.test(sent) ? Number(sent) : sent
}

interface Measure {
  readonly document: Node
  readonly findFault: ReturnType<typeof createValidator>
}

/** Keyed by the text of the document, because compiling a document again takes long. */
const measures = new Map<string, Measure>()

function readDocument(text: string): Measure {
  const known = measures.get(text)
  if (known) return known
  const document = JSON.parse(text) as Node
  const measure = { document, findFault: createValidator(document) }
  measures.set(text, measure)
  return measure
}

function createValidator(document: Node) {
  const ajv = new Ajv2020({ strict: false })
  formats.default(ajv)
  // ajv-formats has no format for addresses outside ASCII.
  ajv.addFormat('idn-email', isEmail)
  // Its format is that of RFC 3339. Requests may have more of ISO 8601, and patterns are exact.
  ajv.addFormat('date-time', (text: string) => timestampError(text) === undefined)
  ajv.addSchema(document, 'contract')
  // Compiling takes far longer than validating, and some operations are called repeatedly.
  const compiled = new Map<string, ValidateFunction>()
  return (place: readonly string[], body: unknown): string | undefined => {
    const $ref = `contract${pointerOf(place)}`
    const validate = compiled.get($ref) ?? ajv.compile({ $ref })
    compiled.set($ref, validate)
    return validate(body) ? undefined : describe(validate.errors?.[0])
  }
}

function describe(error: ErrorObject | undefined): string {
  const { instancePath = '', keyword, message, params } = error ?? {}
  if (keyword === 'required') return `${instancePath}/${params?.['missingProperty']} is missing`
  return `${instancePath || '/'} ${message}`
}

interface Located {
  readonly node: Node
  readonly place: readonly string[]
}

interface LocatedOperation {
  readonly place: string[]
  readonly operation: Node
}

function listOperations(document: Node): LocatedOperation[] {
  return Object.entries(document['paths'] as Record<string, Record<string, Node>>).flatMap(
    ([path, item]) =>
      Object.entries(item).flatMap(([method, operation]) =>
        operation['operationId'] === undefined
          ? []
          : [{ place: ['paths', path, method], operation }],
      ),
  )
}

function placeOf(document: Node, operationId: string): string[] | undefined {
  const operations = listOperations(document)
  return operations.find(({ operation }) => operation['operationId'] === operationId)?.place
}

/** The codes of a problem or OAuth error. A contract that can grow lists them as an extensible enumeration. */
function codesOf(document: Node, { node }: Located): readonly string[] {
  const content = (node['content'] as Record<string, { schema?: Node }> | undefined) ?? {}
  return Object.values(content).flatMap(({ schema = {} }) => codesIn(document, schema))
}

function codesIn(document: Node, schema: Node): readonly string[] {
  const { $ref, oneOf, allOf, properties } = schema as SchemaNode
  if ($ref !== undefined) {
    return codesIn(document, follow(document, placeIn($ref))?.node ?? {})
  }
  if (oneOf) return oneOf.flatMap((each) => codesIn(document, each))
  // Of these two schemas, the first is common to all problems, and the second names the code.
  const code = ((allOf?.[1] as SchemaNode | undefined)?.properties ?? properties)?.['code']
  const error = properties?.['error']
  const listed = code ?? error
  return listed?.['x-extensible-enum'] ?? listed?.enum ?? (listed?.const ? [listed.const] : [])
}

/** Adds the names below a part of the document to `found`. */
function propertiesIn(document: Node, part: unknown, found = new Set<string>()): Set<string> {
  if (typeof part !== 'object' || part === null) return found
  const { $ref, example: _, examples: __, ...node } = part as SchemaNode & Node
  if ($ref !== undefined) propertiesIn(document, follow(document, placeIn($ref))?.node, found)
  for (const name of Object.keys(node.properties ?? {})) found.add(name)
  for (const inner of Object.values(node)) propertiesIn(document, inner, found)
  return found
}

interface CodeNode {
  readonly 'x-extensible-enum'?: readonly string[]
  readonly enum?: readonly string[]
  readonly const?: string
}

interface SchemaNode {
  readonly $ref?: string
  readonly oneOf?: readonly Node[]
  readonly allOf?: readonly Node[]
  readonly properties?: Readonly<Record<string, CodeNode>>
}

function follow(document: Node, place: readonly string[]): Located | undefined {
  const node = place.reduce<unknown>((at, key) => (at as Node | undefined)?.[key], document)
  if (node === undefined) return undefined
  const { $ref } = node as { readonly $ref?: string }
  if ($ref === undefined) return { node: node as Node, place }
  return follow(document, placeIn($ref))
}

function placeIn($ref: string): string[] {
  return $ref.slice('#/'.length).split('/')
}

function eventSchemaPlace(type: string): string[] {
  return ['webhooks', type, 'post', 'requestBody', 'content', 'application/json', 'schema']
}

function pointerOf(place: readonly string[]): string {
  const keys = place.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1'))
  return `#/${keys.map(encodeURIComponent).join('/')}`
}
