import { webhookFailures } from '../domain/webhooks/delivery.ts'
import { documents, latestVersion } from './documents.ts'
import type { PublishedFile } from './published-files.ts'
import { sandboxPaths, standardHeaders } from './sandbox-operations.ts'

const schema = (name: string): Node => ({ $ref: `#/components/schemas/${name}` })
const header = (name: string): Node => ({ $ref: `#/components/headers/${name}` })

function refusal(problem: string, description: string): Node {
  const content = { 'application/problem+json': { schema: schema(problem) } }
  return { description, headers: standardHeaders, content }
}

const part: Node = { type: 'object' }

function record(properties: Readonly<Record<string, Node>>): Node {
  return { type: 'object', required: Object.keys(properties), properties }
}

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
    content: {
      'application/json': {
        schema: record({ openapi: { type: 'string' }, info: part, paths: part, components: part }),
      },
    },
  },
}

const nullable = (node: Node, description: string): Node => ({
  anyOf: [node, { type: 'null' }],
  description,
})

const text = (description: string): Node => ({ type: 'string', description })
const count = (description: string): Node => ({ type: 'integer', minimum: 0, description })
const optionalText = (description: string): Node => ({ type: ['string', 'null'], description })
const optionalCount = (description: string): Node => ({ type: ['integer', 'null'], description })
const values = (...known: readonly string[]): Node => ({
  type: 'string',
  'x-extensible-enum': known,
})
const listOf = (items: Node): Node => ({ type: 'array', items })
const instant = schema('Timestamp')

const event = {
  event_id: schema('Id'),
  type: schema('EventType'),
  share_purchase_id: schema('Id'),
  status: schema('EventStatus'),
  created_at: instant,
}

function problem(base: string, properties: Readonly<Record<string, Node>>): Node {
  return { type: 'object', allOf: [schema(base), { type: 'object', properties }] }
}

/** Schemas that the contract does not have. */
const sandboxSchemas = {
  EventNotFoundProblem: problem('Problem', {
    status: { type: 'integer', const: 404 },
    code: { type: 'string', const: 'EVENT_NOT_FOUND' },
  }),
  InvalidReasonProblem: problem('FieldProblem', {
    code: { type: 'string', const: 'VALIDATION_ERROR' },
  }),
  ReasonRequest: {
    type: 'object',
    additionalProperties: false,
    properties: { reason: schema('OptionalText') },
  },
  ExpiredTokens: record({ clients: count('The number of your clients.') }),
  EventStatus: {
    ...values('none', 'pending', 'delivered', 'dead'),
    description:
      'It is `dead` if a delivery is dead, otherwise `pending` if one is pending, otherwise `delivered`. It is `none` if you had no webhook endpoint.',
  },
  Event: record({ ...event, attempts: count('The number of attempts to all your endpoints.') }),
  EventList: record({
    items: listOf(schema('Event')),
    next_after: nullable(schema('Id'), 'The `after` of the next list; `null` if there is none.'),
  }),
  EventDetails: record({
    ...event,
    body: text('The exact text that is signed and sent.'),
    deliveries: listOf(schema('Delivery')),
  }),
  Delivery: record({
    webhook_endpoint_id: schema('Id'),
    url: optionalText('The address of the endpoint; `null` if it was removed.'),
    status: {
      ...values('waiting', 'pending', 'delivered', 'dead'),
      description: 'A delivery is `waiting` while an earlier event of the order is pending.',
    },
    next_attempt_at: nullable(instant, 'The time of the next attempt, if it is in the future.'),
    due_since: nullable(instant, 'Since when the next attempt has been due.'),
    dead_because: nullable(
      values('attempts_used_up', 'endpoint_removed'),
      'Why there are no more attempts.',
    ),
    attempts: listOf(schema('Attempt')),
  }),
  Attempt: record({
    attempt_id: { ...schema('Id'), description: 'The `X-Service-Webhook-Id` of the attempt.' },
    at: instant,
    delivered: { type: 'boolean' },
    response_status: optionalCount('The status that your receiver answered.'),
    failure: nullable(values(...webhookFailures), 'Why the attempt failed.'),
    detail: optionalText('Explains the failure to people.'),
    first_byte_ms: {
      type: ['number', 'null'],
      description: 'Milliseconds until your receiver began to answer.',
    },
    duration_ms: { type: 'number', minimum: 0 },
  }),
  ReplayedEvent: record({
    ...event,
    attempts: count('The number of attempts so far.'),
    replayed: count('The number of deliveries that start again.'),
    left_alone: nullable(
      values('no_endpoint', 'endpoint_removed', 'under_way'),
      'Why nothing starts again.',
    ),
  }),
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

type Node = Readonly<Record<string, unknown>>
type Components = Readonly<Record<string, Readonly<Record<string, Node>>>>

interface Contract {
  readonly servers: readonly unknown[]
  readonly components: Components
}

/** Public, like the contract. */
export function sandboxFile(): PublishedFile {
  return {
    path: 'openapi/sandbox.json',
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
    schemas: { ...schemas, ...sandboxSchemas, ProblemCode },
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
