import { type ProblemCode, problemRow } from '../../domain/problem-code.ts'
import { type InputKey, inputDescriptions } from '../../operations/input-descriptions.ts'
import { inputShapeOf, type OperationName } from '../../operations/operations.ts'
import { type JsonSchema, nameOf } from '../../wire/json-schema.ts'
import { schemaOfShape } from '../../wire/schema-of-shape.ts'
import { publicCodeOf, statusOf } from '../problem-details.ts'

/** A part of the document. */
export type OpenApi = Readonly<Record<string, unknown>>

/** `operator.create` is `operatorCreate`, because clients have a function with this name. */
export function identifierOf(name: string): string {
  const words = componentName(name)
  return `${words.charAt(0).toLowerCase()}${words.slice(1)}`
}

/** `Share purchase row` is `SharePurchaseRow`: names of components may not contain spaces. */
export function componentName(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

export function requestName(name: OperationName): string {
  return `${componentName(name)}Request`
}

/**
 * Later versions may add values to answers, so enumerations in answers are marked as extensible, as
 * in the contract for partners.
 */
export function toAnswerSchema(schema: JsonSchema): OpenApi {
  return convert(schema, (key) => (key === 'enum' ? 'x-extensible-enum' : key)) as OpenApi
}

export function toRequestSchema(schema: JsonSchema): OpenApi {
  return convert(schema, (key) => key) as OpenApi
}

/** The schema of the shape with which the operation checks its input. */
export function requestSchemaOf(name: OperationName): OpenApi {
  const { properties = {}, ...schema } = schemaOfShape(inputShapeOf(name))
  const described = Object.entries(properties).map(([key, property]) => [
    key,
    { description: inputDescriptions[key as InputKey], ...property },
  ])
  return toRequestSchema({ ...schema, properties: Object.fromEntries(described) })
}

/** Renames keys. References point into `components`, and empty descriptions are left out. */
function convert(node: unknown, rename: (key: string) => string): unknown {
  if (Array.isArray(node)) return node.map((each) => convert(each, rename))
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node)
    .filter(([key, value]) => !(key === 'description' && value === ''))
    .map(([key, value]) => [
      rename(key),
      key === '$ref' ? referenceOf(value) : convert(value, rename),
    ])
  return Object.fromEntries(entries)
}

function referenceOf($ref: string): string {
  return `#/components/schemas/${componentName(nameOf($ref))}`
}

export function refer(kind: string, name: string): { readonly $ref: string } {
  return { $ref: `#/components/${kind}/${name}` }
}

/** The refusals of an operation, by status. Each refers to a component. */
export function problemResponses(codes: readonly ProblemCode[], operationId: string): OpenApi {
  const coded = codesByStatus(codes).map(([status, ofStatus]) => [
    status,
    refer('responses', problemName(status, ofStatus, operationId)),
  ])
  return { ...Object.fromEntries(coded), 500: refer('responses', internalError) }
}

function codesByStatus(codes: readonly ProblemCode[]) {
  const distinct = [...new Set(codes)]
  const statuses = [...new Set(distinct.map(statusOf))]
  return statuses.map(
    (status) => [status, distinct.filter((code) => statusOf(code) === status)] as const,
  )
}

/** Many operations share the component of a code. A component of several codes is that of one operation. */
function problemName(
  status: number,
  [first, ...more]: readonly ProblemCode[],
  operationId: string,
): string {
  if (first !== undefined && more.length === 0) return componentName(first.toLowerCase())
  return `${componentName(operationId)}${statusNames[status] ?? status}`
}

const statusNames: Readonly<Record<number, string>> = {
  404: 'NotFound',
  409: 'Conflict',
  422: 'Invalid',
  503: 'Unavailable',
}

const internalError = 'InternalServerError'

interface Refusing {
  readonly operationId: string
  readonly codes: readonly ProblemCode[]
}

/** The components to which the refusals of operations refer. */
export function problemComponents(operations: readonly Refusing[]) {
  const responses: Record<string, OpenApi> = {}
  const schemas: Record<string, OpenApi> = {}
  const described = operations.flatMap(({ operationId, codes }) =>
    codesByStatus(codes).map(([status, ofStatus]) => ({
      name: problemName(status, ofStatus, operationId),
      status,
      description: ofStatus.map(titleOf).join(' '),
      code: { type: 'string', 'x-extensible-enum': ofStatus.map(publicCodeOf) },
    })),
  )
  for (const { name, status, description, code } of described) {
    const problem = `${name}Problem`
    responses[name] = renderProblem(status, description, problem)
    schemas[problem] = refineProblem({ status: { type: 'integer', const: status }, code })
  }
  const description = 'The service has a fault. Its log has the details under `trace_id`.'
  responses[internalError] = renderProblem(500, description, 'Problem')
  return { responses, schemas }
}

function refineProblem(properties: OpenApi): OpenApi {
  const own = { type: 'object', required: ['code'], properties }
  return { type: 'object', allOf: [refer('schemas', 'Problem'), own] }
}

function renderProblem(status: number, description: string, schema: string): OpenApi {
  const names = ['X-Request-Id', 'Cache-Control', ...(headersOfStatus[status] ?? [])]
  return {
    description,
    headers: Object.fromEntries(names.map((name) => [name, refer('headers', name)])),
    content: { 'application/problem+json': { schema: refer('schemas', schema) } },
  }
}

const headersOfStatus: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

function titleOf(code: ProblemCode): string {
  const { title, operatorTitle = title } = problemRow(code)
  return `\`${publicCodeOf(code)}\`: ${operatorTitle}`
}
