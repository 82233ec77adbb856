import packageJson from '../../../package.json' with { type: 'json' }
import { answerObjects, operationNames } from '../../operations/operations.ts'
import { environments } from '../../ports/collections.ts'
import { count, id, type JsonSchema, record, text } from '../../wire/json-schema.ts'
import { definitionsOf } from '../../wire/view.ts'
import { requestFeed } from '../request-feed.ts'
import { benchObjects, benchPaths, benchRequests } from './bench-paths.ts'
import { problemsOf, renderPaths } from './documented-path.ts'
import {
  componentName,
  type OpenApi,
  problemComponents,
  requestName,
  requestSchemaOf,
  toAnswerSchema,
  toRequestSchema,
} from './schemas.ts'
import { type Noun, nounOf, operationPaths, servicePaths } from './service-paths.ts'

/** OpenAPI 3.1 of everything that the operator listener answers. */
export function createOperatorDocument(baseUrl: string) {
  const documented = [...operationPaths, ...benchPaths, ...servicePaths]
  const problems = problemComponents(
    documented.map((each) => ({ operationId: each.operationId, codes: problemsOf(each) })),
  )
  return {
    openapi: '3.1.0',
    info: {
      title: 'Operator interface of coopshare',
      version: packageJson.version,
      summary: 'Everything that an operator can do, as JSON over HTTP.',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl, description: 'The operator endpoint of this instance.' }],
    tags: tagNames.map((name) => ({ name, description: tagMeanings[name] })),
    paths: renderPaths(documented),
    components: {
      securitySchemes,
      parameters,
      headers,
      responses: problems.responses,
      schemas: { ...schemas(), ...problems.schemas },
    },
  }
}

const description = `Send \`Authorization: Bearer <operator token>\` and JSON. Use your token from \`operator create\`, or that of the local administrator, which is in \`control.json\` in the data directory unless you set it as \`COOPSHARE_OPERATOR_TOKEN\`. Send it only over TLS, a tunnel or on the same machine.

Commands sign their requests instead and never send the token; docs/reference/operator-endpoint.md describes how. Their answers have the media type \`application/vnd.coopshare.signed\`, which wraps what is documented here.

Refusals are problem documents (RFC 9457). Branch on \`code\`. If no answer arrives, the operation may still have completed.

We may add operations, fields, codes, and further values where \`x-extensible-enum\` lists the values of this version. Ignore anything that you do not know.`

type Tag = Noun | 'bench' | 'service'

const tagNames: readonly Tag[] = [...new Set(operationNames.map(nounOf)), 'bench', 'service']

const tagMeanings: Readonly<Record<Tag, string>> = {
  operator: 'Operators, their roles and tokens.',
  console: 'The console in the browser.',
  organization: 'Partner organizations.',
  client: 'OAuth clients and their secrets.',
  token: 'Access tokens for tests.',
  key: 'Keys that sign access tokens.',
  cooperative: 'Cooperatives in the catalogue.',
  purchase: 'Share purchases (orders) and decisions on them.',
  find: 'Persons and their orders, with the history of each.',
  payment: 'Payments of share purchases.',
  statement: 'Statements: what banks say about collections.',
  collection: 'Collections: direct debits in files for the bank.',
  investor: 'Investors, and the rights that persons have to their data.',
  webhook: 'Webhook endpoints of partner organizations.',
  event: 'Events and their replay.',
  fixtures: 'Import and export of whole set-ups as files.',
  store: 'Store backups and checks.',
  audit: 'Records of who did what.',
  bench: 'Aids for partners who test against the service. Staging only, with `serve --bench`.',
  service: 'Health, metrics and documents of this instance.',
}

const securitySchemes = {
  operatorToken: { type: 'http', scheme: 'bearer', description: 'The operator token.' },
  metricsToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'A token that gives access to `/metrics` only.',
  },
  signature: {
    type: 'http',
    scheme: 'Coopshare-Signature',
    description: 'A signature with the operator token, so that the token itself is not sent.',
  },
}

const parameters = {
  Environment: {
    name: 'Coopshare-Environment',
    in: 'header',
    description: 'Refuse the request if the service belongs to the other environment.',
    schema: { type: 'string', enum: environments },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Your own id for this request: 1 to 128 visible ASCII characters.',
    schema: { type: 'string', minLength: 1, maxLength: 128 },
  },
}

const header = (description: string, further: object = { required: true }) => ({
  description,
  ...further,
  schema: { type: 'string' },
})

const headers = {
  'X-Request-Id': header('Id of the request, also in the log.'),
  'Cache-Control': header('Whether the answer may be cached.'),
  'WWW-Authenticate': header('How to authenticate.'),
  'Retry-After': header('Seconds to wait before you repeat the request.'),
  ETag: header('Tag of this form of the document, for If-None-Match.'),
  Vary: header('The request headers on which the answer depends.'),
  'Content-Security-Policy': header('What the page may load: nothing.'),
  'Content-Encoding': header('Present if the page is compressed.', {}),
}

const serviceObjects: Readonly<Record<string, JsonSchema>> = {
  Identity: record({
    instance_id: id('Id of this start of the service.'),
    time: count(
      'Reading of a clock of the service, in milliseconds. It is valid until the service restarts, and each signature contains it.',
    ),
    proof: text('HMAC-SHA256 with the operator token, in hexadecimal digits.'),
  }),
  Liveness: record({ status: { ...text('Always `alive`.'), const: 'alive' } }),
  Readiness: record({ status: { ...text('Always `ready`.'), const: 'ready' } }),
}

const problem = {
  type: 'object',
  description: 'A refusal (RFC 9457).',
  properties: {
    type: { type: 'string', format: 'uri', description: 'Page that explains the problem.' },
    title: text('What happened, for people.'),
    status: count('The HTTP status.'),
    detail: text('What is wrong in this case, for people.'),
    instance: text('Path of the request.'),
    code: text('Code for programs; it stays the same.'),
    trace_id: text('The X-Request-Id of the answer.'),
    errors: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'What is wrong with each field, by its path.',
    },
  },
  required: ['type', 'title', 'status', 'detail', 'trace_id'],
}

function schemas(): OpenApi {
  const served = { ...benchObjects, ...definitionsOf([requestFeed]), ...serviceObjects }
  const answers = { ...answerObjects(), ...served }
  return {
    ...Object.fromEntries(operationNames.map((name) => [requestName(name), requestSchemaOf(name)])),
    ...mapSchemas(benchRequests, toRequestSchema),
    ...mapSchemas(answers, toAnswerSchema),
    Problem: problem,
  }
}

function mapSchemas(
  objects: Readonly<Record<string, JsonSchema>>,
  change: (schema: JsonSchema) => unknown,
): OpenApi {
  return Object.fromEntries(
    Object.entries(objects).map(([name, schema]) => [componentName(name), change(schema)]),
  )
}
