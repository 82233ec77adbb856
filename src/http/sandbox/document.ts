import { documents, latestVersion } from '../../contract/documents.ts'
import type { PublishedFile } from '../../contract/published-files.ts'
import type { ProblemCode } from '../../domain/problem-code.ts'
import { type JsonSchema, nameOf } from '../../wire/json-schema.ts'
import { type SandboxCall, sandboxCallNames, sandboxCalls } from '../../wire/sandbox-calls.ts'
import { schemaOfShape } from '../../wire/schema-of-shape.ts'
import { definitionsOf } from '../../wire/view.ts'
import { statusOf } from '../problem-details.ts'

type Node = Readonly<Record<string, unknown>>

const refer = (kind: string, name: string): Node => ({ $ref: `#/components/${kind}/${name}` })
const respond = (name: string): Node => refer('responses', name)
const header = (name: string): Node => refer('headers', name)
const json = (schema: Node): Node => ({ 'application/json': { schema } })

const standardHeaders = {
  'X-Request-Id': header('RequestId'),
  'RateLimit-Limit': header('RateLimitLimit'),
  'RateLimit-Remaining': header('RateLimitRemaining'),
  'RateLimit-Reset': header('RateLimitReset'),
  'Cache-Control': header('NotStored'),
}

/** Answers that every call can give. */
const refusals = {
  401: respond('Unauthenticated'),
  403: respond('NotAPartner'),
  405: respond('MethodNotAllowed'),
  429: respond('RateLimited'),
  500: respond('InternalServerError'),
  503: respond('ServiceUnavailable'),
}

/** Further answers of a call that reads a body. */
const bodyRefusals = {
  400: respond('MalformedRequestBody'),
  413: respond('PayloadTooLarge'),
  415: respond('UnsupportedMediaType'),
}

/** The responses to the other problems of calls. */
const responsesTo: Readonly<Partial<Record<ProblemCode, string>>> = {
  SHARE_PURCHASE_NOT_FOUND: 'OrderNotFound',
  SHARE_PURCHASE_ILLEGAL_STATE: 'IllegalState',
  EVENT_NOT_FOUND: 'EventNotFound',
  VALIDATION_ERROR: 'InvalidReason',
  INVALID_PARAMETER: 'InvalidParameter',
}

function refusal(problem: string, description: string): Node {
  const content = { 'application/problem+json': { schema: refer('schemas', problem) } }
  return { description, headers: standardHeaders, content }
}

const part: Node = { type: 'object' }
const documentParts = { openapi: { type: 'string' }, info: part, paths: part, components: part }

/** Responses that the contract does not have. */
const sandboxResponses = {
  OrderNotFound: refusal('SharePurchaseNotFoundProblem', 'None of your orders has this id.'),
  IllegalState: refusal(
    'IllegalStateProblem',
    'The status of the order does not allow this step. Nothing has changed.',
  ),
  EventNotFound: refusal(
    'EventNotFoundProblem',
    'None of your events has this id. We remove events some time after they were delivered.',
  ),
  InvalidReason: refusal('InvalidReasonProblem', 'The reason is blank, too long, or not a text.'),
  NotAPartner: refusal(
    'ForbiddenProblem',
    'The operator has not allowed your organization to decide its own orders, or the client does not belong to a partner. No scope changes that.',
  ),
  SandboxDocument: {
    description: 'This document.',
    headers: {
      'X-Request-Id': header('RequestId'),
      ETag: header('ETag'),
      'Cache-Control': header('PublicContract'),
    },
    content: json({
      type: 'object',
      required: Object.keys(documentParts),
      properties: documentParts,
    }),
  },
}

function problem(base: string, properties: Readonly<Record<string, Node>>): Node {
  return { type: 'object', allOf: [refer('schemas', base), { type: 'object', properties }] }
}

/** Schemas of problems that the contract does not have. */
const problemSchemas = {
  EventNotFoundProblem: problem('Problem', {
    status: { type: 'integer', const: statusOf('EVENT_NOT_FOUND') },
    code: { type: 'string', const: 'EVENT_NOT_FOUND' },
  }),
  InvalidReasonProblem: problem('FieldProblem', {
    code: { type: 'string', const: 'VALIDATION_ERROR' },
  }),
}

const calls: readonly SandboxCall[] = sandboxCallNames.map((name) => sandboxCalls[name])

/** Schemas of bodies and answers that the contract does not have. */
function sandboxSchemas(): Readonly<Record<string, Node>> {
  const bodies = calls.flatMap(({ input }) =>
    input ? [[input.name, schemaOfShape(input.shape)]] : [],
  )
  const answers = definitionsOf(calls.flatMap(({ answer }) => answer.views))
  return toSchemas({ ...Object.fromEntries(bodies), ...answers })
}

function toSchemas(schemas: Readonly<Record<string, JsonSchema>>): Readonly<Record<string, Node>> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, toOpenApi(schema)]),
  )
}

/** As in the contract, later versions may add values, and a type or null is a list of types. */
function toOpenApi(schema: JsonSchema): Node {
  const { $ref, anyOf, properties, items, enum: values, description, ...others } = schema
  const areTypes = anyOf?.every((form) => Object.keys(form).join() === 'type')
  return {
    ...others,
    ...($ref !== undefined && { $ref: pointInto($ref) }),
    ...(anyOf &&
      (areTypes ? { type: anyOf.map(({ type }) => type) } : { anyOf: anyOf.map(toOpenApi) })),
    ...(properties && { properties: toSchemas(properties) }),
    ...(items && { items: toOpenApi(items) }),
    ...(values && { 'x-extensible-enum': values }),
    ...(description && { description }),
  }
}

function pointInto($ref: string): string {
  return $ref.startsWith('#/components/') ? $ref : `#/components/schemas/${nameOf($ref)}`
}

const requestId = refer('parameters', 'RequestId')

/** Parameters of paths, by name. */
const parametersInPath: Readonly<Record<string, Node>> = {
  purchaseId: refer('parameters', 'PurchaseId'),
  eventId: {
    name: 'eventId',
    in: 'path',
    required: true,
    description: 'The `id` of the event, as in its body.',
    schema: { type: 'string', format: 'uuid' },
  },
}

function pathItemOf(operationId: string, call: SandboxCall): Node {
  const { method, path, tag, summary, note, query, answer, answers } = call
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => parametersInPath[name])
  const problems = (call.problems ?? []).map((code) => [
    statusOf(code),
    respond(responsesTo[code] ?? code),
  ])
  return {
    parameters: [...named, requestId],
    [method.toLowerCase()]: {
      operationId,
      tags: [tag],
      summary,
      ...(note !== undefined && { description: note }),
      security: [{ oauth2: [] }],
      ...(query && { parameters: Object.entries(query).map(parameterInQuery) }),
      ...(method === 'POST' && { requestBody: bodyOf(call) }),
      responses: {
        200: {
          description: answers,
          headers: standardHeaders,
          content: json(toOpenApi(answer.schema)),
        },
        ...(method === 'POST' && bodyRefusals),
        ...refusals,
        ...Object.fromEntries(problems),
      },
    },
  }
}

function parameterInQuery([name, { description, ...schema }]: [string, JsonSchema]): Node {
  return { name, in: 'query', description, schema: toOpenApi(schema) }
}

function bodyOf({ input }: SandboxCall): Node {
  const description = input
    ? 'You can omit the body.'
    : 'Do not send a body. If your client cannot omit it, send an empty object.'
  const content = json(refer('schemas', input?.name ?? 'NoFields'))
  return { required: false, description, content }
}

const documentPath = 'openapi/sandbox.json'

const sandboxPaths: Readonly<Record<string, Node>> = {
  ...Object.fromEntries(
    sandboxCallNames.map((name) => [sandboxCalls[name].path, pathItemOf(name, sandboxCalls[name])]),
  ),
  [`/${documentPath}`]: {
    parameters: [requestId],
    get: {
      operationId: 'readSandboxDocument',
      tags: ['Document'],
      summary: 'Read this document',
      security: [],
      parameters: [refer('parameters', 'IfNoneMatch')],
      responses: {
        200: respond('SandboxDocument'),
        304: respond('ContractUnchanged'),
        405: respond('PublicMethodNotAllowed'),
      },
    },
  },
}

const description = `
A staging service is a sandbox: nobody decides your test orders unless you ask for it. If the operator allows it for your
organization (\`coopshare organization update --self-service\`), you decide your own orders, end your access tokens, and
see and replay your own events. You use the access token that you have, with any scopes.

These paths exist in staging only: production answers 404. They are not part of the contract of the partner API, so do not
call them from code that also runs in production.

Tokens, limits, headers and errors are those of the partner API, which \`/openapi.json\` describes. You get 404 for orders and
events of another organization, as if they did not exist.
`

type Components = Readonly<Record<string, Readonly<Record<string, Node>>>>

interface Contract {
  readonly servers: readonly unknown[]
  readonly components: Components
}

/** Public, like the contract. */
export function sandboxFile(): PublishedFile {
  return {
    path: documentPath,
    contentType: 'application/json',
    get text() {
      return JSON.stringify(sandboxDocument())
    },
    isFrozen: false,
    isLatest: true,
  }
}

/**
 * OpenAPI of the paths below `/sandbox`. Parts that they share with the contract come from there.
 */
export function sandboxDocument() {
  const contract: Contract = JSON.parse(documents[`${latestVersion}.json`])
  const known = withOwn(contract.components)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sandbox of the Partner Investing API',
      version: latestVersion,
      summary: 'Decide your own orders and replay your own events in staging.',
      license: { name: 'MIT', identifier: 'MIT' },
      description: description.trim(),
    },
    servers: contract.servers,
    tags: [
      { name: 'Orders', description: 'What the operator and the bank do with your orders.' },
      { name: 'Tokens', description: 'The access tokens of your clients.' },
      { name: 'Events', description: 'Your events on their way to your webhook endpoints.' },
      { name: 'Document', description: 'The description of these paths.' },
    ],
    paths: sandboxPaths,
    components: {
      securitySchemes: { oauth2: known['securitySchemes']?.['oauth2'] },
      ...neededBy(sandboxPaths, known),
    },
  }
}

function withOwn(components: Components): Components {
  const { ProblemCode: code = {}, ...schemas } = components['schemas'] ?? {}
  const codes = [code['x-extensible-enum'] ?? [], 'EVENT_NOT_FOUND'].flat()
  const ProblemCode = { ...code, 'x-extensible-enum': codes }
  return {
    ...components,
    responses: { ...components['responses'], ...sandboxResponses },
    schemas: { ...schemas, ...problemSchemas, ...sandboxSchemas(), ProblemCode },
  }
}

/** The components that a part of the document refers to, directly or through others. */
function neededBy(part: unknown, known: Components): Components {
  const needed: Record<string, Record<string, Node>> = {}
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, value] of Object.entries(node)) {
      if (key === '$ref') add(String(value))
      else visit(value)
    }
  }
  const add = (ref: string): void => {
    const [, , kind = '', name = ''] = ref.split('/')
    const found = known[kind]?.[name]
    if (!found || needed[kind]?.[name]) return
    needed[kind] = { ...needed[kind], [name]: found }
    visit(found)
  }
  visit(part)
  return needed
}
