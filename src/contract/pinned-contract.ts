import { array, boolean, is, optional, string, type } from 'superstruct'
import { type Answer, type ContractCheck, createContractCheck, eventSchema } from './check.ts'
import {
  type ApiDocument,
  type DocumentedAnswer,
  listAnswers,
  listOperations,
  locate,
  placeOf,
  type ResponseObject,
  type Schema,
} from './document.ts'

/** A published version to check against. */
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
  /** The first difference of the headers and the body of a webhook, with its place. */
  findEventDifference(
    type: string,
    event: Parameters<ContractCheck['findEventFaults']>[1],
  ): string | undefined
  listAnswers(): readonly DocumentedAnswer[]
  listEventTypes(): readonly string[]
  /** The names of the properties in the answers of an operation that has carried out the request, at every depth. */
  propertiesOf(operationId: string): ReadonlySet<string>
  eventPropertiesOf(type: string): ReadonlySet<string>
}

/** Published documents and their manifest, by name. */
export type Documents = Readonly<Record<string, string>>

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
  const { document, check } = readDocument(files[`${version}.json`] ?? '{}')
  const operations = new Map(
    listOperations(document).map((listed) => [listed.operation.operationId, listed]),
  )
  return {
    version,
    files,
    has(operationId, status) {
      const { operation } = operations.get(operationId) ?? {}
      if (status === undefined) return operation !== undefined
      return operation?.responses[String(status)] !== undefined
    },
    scopesOf: (operationId) => operations.get(operationId)?.operation.security[0]?.['oauth2'] ?? [],
    findDifference(operationId, answer) {
      const { place } = operations.get(operationId) ?? {}
      if (!place) return `no operation ${operationId} in ${version}`
      return check.findAnswerFaults([...place, 'responses', String(answer.status)], answer)[0]
    },
    findRequestDifference(operationId, mediaType, body) {
      const { place } = operations.get(operationId) ?? {}
      if (!place) return `no operation ${operationId} in ${version}`
      return check.findRequestFaults(place, mediaType, body)[0]
    },
    findEventDifference: (type, event) => check.findEventFaults(type, event)[0],
    listAnswers: () => listAnswers(document),
    listEventTypes: () => Object.keys(document.webhooks ?? {}),
    propertiesOf(operationId) {
      const { place = [], operation } = operations.get(operationId) ?? {}
      const contents = Object.keys(operation?.responses ?? {})
        .filter((status) => Number(status) < 300)
        .map((status) => locate<ResponseObject>(document, [...place, 'responses', status]))
        .map((response) => response?.part.content)
      return propertiesIn(document, contents)
    },
    eventPropertiesOf(type) {
      const { properties } = locate<Schema>(document, eventSchema(type))?.part ?? {}
      return propertiesIn(document, properties?.['data'])
    },
  }
}

interface Measure {
  readonly document: ApiDocument
  readonly check: ContractCheck
}

/** Keyed by the text of the document, because compiling a document again takes long. */
const measures = new Map<string, Measure>()

function readDocument(text: string): Measure {
  const known = measures.get(text)
  if (known) return known
  const document = JSON.parse(text) as ApiDocument
  const measure = { document, check: createContractCheck(document) }
  measures.set(text, measure)
  return measure
}

/** Adds the names below a part of the document to `found`. */
function propertiesIn(
  document: ApiDocument,
  part: unknown,
  found = new Set<string>(),
): ReadonlySet<string> {
  if (typeof part !== 'object' || part === null) return found
  const { $ref, example: _, examples: __, ...node } = part as Schema & Record<string, unknown>
  if ($ref !== undefined) propertiesIn(document, locate(document, placeOf($ref))?.part, found)
  for (const name of Object.keys(node.properties ?? {})) found.add(name)
  for (const inner of Object.values(node)) propertiesIn(document, inner, found)
  return found
}
