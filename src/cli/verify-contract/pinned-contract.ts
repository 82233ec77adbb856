import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { array, boolean, is, optional, string, type } from 'superstruct'
import { isEmail } from '../../domain/investors/profile.ts'
import type { Answer } from './client.ts'

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
      return findHeaderFault(response, answer) ?? findBodyFault(response, answer)
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

/** By the text of the document, because compiling a document again takes long. */
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

function placeOf(document: Node, operationId: string): string[] | undefined {
  for (const [path, item] of Object.entries(document['paths'] as Node)) {
    const operations = Object.entries(item as Record<string, Node>)
    const found = operations.find(([, operation]) => operation['operationId'] === operationId)
    if (found) return ['paths', path, found[0]]
  }
  return undefined
}

function follow(document: Node, place: readonly string[]): Located | undefined {
  const node = place.reduce<unknown>((at, key) => (at as Node | undefined)?.[key], document)
  if (node === undefined) return undefined
  const { $ref } = node as { readonly $ref?: string }
  if ($ref === undefined) return { node: node as Node, place }
  return follow(document, $ref.slice('#/'.length).split('/'))
}

function pointerOf(place: readonly string[]): string {
  const keys = place.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1'))
  return `#/${keys.map(encodeURIComponent).join('/')}`
}
