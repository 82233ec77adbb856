import { type ProblemCode, problemRow, problems } from '../../domain/problem-code.ts'
import { type InputKey, inputDescriptions } from '../../operations/input-descriptions.ts'
import { inputShapeOf, type OperationName } from '../../operations/operations.ts'
import { type JsonSchema, nameOf } from '../../wire/json-schema.ts'
import { schemaOfShape } from '../../wire/schema-of-shape.ts'
import { publicCodeOf, statusOf } from '../problem-details.ts'

/** A part of the document. */
export type OpenApi = Readonly<Record<string, unknown>>

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

/** The refusals, by status. A status with one code refers to a component, because many operations share it. */
export function problemResponses(codes: readonly ProblemCode[]): OpenApi {
  const distinct = [...new Set(codes)]
  const statuses = [...new Set(distinct.map(statusOf))]
  const coded = statuses.map((status) => [
    status,
    responseOf(
      status,
      distinct.filter((code) => statusOf(code) === status),
    ),
  ])
  return { ...Object.fromEntries(coded), 500: refer('responses', 'InternalServerError') }
}

function responseOf(status: number, codes: readonly ProblemCode[]): OpenApi {
  const [first, ...more] = codes
  if (first !== undefined && more.length === 0) return refer('responses', responseName(first))
  return renderProblem({ status, codes })
}

function responseName(code: ProblemCode): string {
  return componentName(code.toLowerCase())
}

/** The responses that operations refer to. */
export function problemComponents(): OpenApi {
  const codes = Object.keys(problems) as ProblemCode[]
  const coded = codes.map((code) => [
    responseName(code),
    renderProblem({ status: statusOf(code), codes: [code] }),
  ])
  const description = 'The service has a fault. Its log has the details under `trace_id`.'
  return { ...Object.fromEntries(coded), InternalServerError: renderProblem({ description }) }
}

interface DescribedProblem {
  readonly status?: number
  readonly codes?: readonly ProblemCode[]
  readonly description?: string
}

function renderProblem({ status, codes = [], description }: DescribedProblem): OpenApi {
  const names = ['X-Request-Id', 'Cache-Control', ...(headersOfStatus[status ?? 0] ?? [])]
  const problem = refer('schemas', 'Problem')
  const values = codes.map(publicCodeOf)
  const isCode = { required: ['code'], properties: { code: { 'x-extensible-enum': values } } }
  return {
    description: description ?? codes.map(titleOf).join(' '),
    headers: Object.fromEntries(names.map((name) => [name, refer('headers', name)])),
    content: {
      'application/problem+json': {
        schema: codes.length === 0 ? problem : { allOf: [problem, isCode] },
      },
    },
  }
}

const headersOfStatus: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

function titleOf(code: ProblemCode): string {
  const { title, operatorTitle = title } = problemRow(code)
  return `\`${publicCodeOf(code)}\`: ${operatorTitle}`
}
