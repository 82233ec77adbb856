import type { ProblemCode } from '../../domain/problem-code.ts'
import type { JsonSchema } from '../../wire/json-schema.ts'
import { identifierOf, type OpenApi, problemResponses, refer, toAnswerSchema } from './schemas.ts'

/** The description of a method of a path. `renderPaths` turns it into OpenAPI. */
export interface DocumentedPath {
  readonly method: 'get' | 'post' | 'delete'
  /** With parameters in braces, all of which are in `parameters`. */
  readonly path: string
  /** The name in the request log, if there is one. */
  readonly operationId: string
  readonly tag: string
  readonly summary: string
  readonly note?: string | undefined
  readonly access: 'operators' | 'metrics' | 'all'
  readonly parameters?: readonly DocumentedParameter[]
  /** The name of a schema in `components`. */
  readonly request?: string
  /** The media type of a body that is a file. */
  readonly body?: string
  readonly answers: Readonly<Record<number, DocumentedAnswer>>
  /** Refusals for reasons other than the token, the environment and the format of the body. */
  readonly problems?: readonly ProblemCode[]
}

interface DocumentedParameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly description: string
  readonly schema: JsonSchema
  readonly required?: boolean
}

const anyText: JsonSchema = { type: 'string' }

export function inPath(name: string, description: string): DocumentedParameter {
  return { name, in: 'path', description, schema: anyText, required: true }
}

export function inQuery(
  name: string,
  description: string,
  schema: JsonSchema = anyText,
): DocumentedParameter {
  return { name, in: 'query', description, schema }
}

interface DocumentedAnswer {
  readonly description: string
  /** Default: JSON. */
  readonly mediaType?: string
  /** undefined if the answer is bytes. */
  readonly schema?: JsonSchema
  /** Names of `components.headers` that only some answers have. */
  readonly headers?: readonly string[]
  readonly isEmpty?: true
}

export function renderPaths(documented: readonly DocumentedPath[]): OpenApi {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const each of documented) {
    const methods = paths[each.path] ?? {}
    methods[each.method] = renderMethod(each)
    paths[each.path] = methods
  }
  return paths
}

function renderMethod(documented: DocumentedPath): OpenApi {
  const { operationId, tag, summary, note, request, body } = documented
  return {
    operationId: identifierOf(operationId),
    tags: [tag],
    summary,
    ...(note !== undefined && { description: note }),
    security: securityOf(documented),
    parameters: parametersOf(documented),
    ...(request !== undefined && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: refer('schemas', request) } },
      },
    }),
    ...(body !== undefined && {
      requestBody: { required: true, content: { [body]: { schema: anyText } } },
    }),
    responses: responsesOf(documented),
  }
}

function securityOf({ access }: DocumentedPath): readonly OpenApi[] {
  if (access === 'all') return []
  const forMetrics = access === 'metrics' ? [{ metricsToken: [] }] : []
  return [{ operatorToken: [] }, { signature: [] }, ...forMetrics]
}

function parametersOf({ access, parameters = [] }: DocumentedPath): readonly object[] {
  const environment = access === 'all' ? [] : [refer('parameters', 'Environment')]
  return [...parameters, ...environment, refer('parameters', 'RequestId')]
}

function responsesOf(documented: DocumentedPath): OpenApi {
  const { answers, operationId } = documented
  const succeeding = Object.entries(answers).map(([status, each]) => [status, renderAnswer(each)])
  return {
    ...Object.fromEntries(succeeding),
    ...problemResponses(problemsOf(documented), operationId),
  }
}

/** All refusals. */
export function problemsOf(documented: DocumentedPath): readonly ProblemCode[] {
  const { access, request, body, problems = [] } = documented
  return [...commonProblems(access, (request ?? body) !== undefined), ...problems]
}

function commonProblems(
  access: DocumentedPath['access'],
  hasBody: boolean,
): readonly ProblemCode[] {
  if (access === 'all') return []
  const ofBody = ['MALFORMED_REQUEST_BODY', 'PAYLOAD_TOO_LARGE', 'VALIDATION_ERROR'] as const
  return [
    ...(hasBody ? ofBody : []),
    'UNAUTHENTICATED',
    'FORBIDDEN',
    'ENVIRONMENT_MISMATCH',
    'RATE_LIMITED',
    'SERVICE_UNAVAILABLE',
  ]
}

function renderAnswer(answer: DocumentedAnswer): OpenApi {
  const { description, mediaType = 'application/json', schema, headers = [], isEmpty } = answer
  const content = { [mediaType]: schema === undefined ? {} : { schema: toAnswerSchema(schema) } }
  const names = ['X-Request-Id', 'Cache-Control', ...headers]
  return {
    description,
    headers: Object.fromEntries(names.map((name) => [name, refer('headers', name)])),
    ...(!isEmpty && { content }),
  }
}
