import {
  describeOperation,
  type OperationName,
  operationNames,
} from '../../operations/operations.ts'
import { refer, text } from '../../wire/json-schema.ts'
import { operatorDocumentPath } from '../reference-page.ts'
import { statementFilePath } from '../statement-file.ts'
import { type DocumentedPath, inPath, inQuery } from './documented-path.ts'
import { requestName } from './schemas.ts'

/** One path for each operation. */
export const operationPaths: readonly DocumentedPath[] = operationNames.map(pathOf)

function pathOf(name: OperationName): DocumentedPath {
  const { summary, note, answer, problems = [] } = describeOperation(name)
  return {
    method: 'post',
    path: `/operations/${name}`,
    operationId: name,
    tag: nounOf(name),
    summary,
    note,
    access: 'operators',
    request: requestName(name),
    answers: { 200: { description: 'Done.', schema: answer.schema } },
    problems,
  }
}

/** What an operation is about: `purchase` for `purchase.list`, and `find` for `find`. */
export type Noun<Name extends string = OperationName> = Name extends `${infer Before}.${string}`
  ? Before
  : Name

export function nounOf(name: OperationName): Noun {
  return name.split('.', 1)[0] as Noun
}

const page = { mediaType: 'text/html', schema: text('') }
const cached = ['ETag']
const unchanged = {
  304: { description: 'You already have this version.', headers: cached, isEmpty: true },
} as const

type ServicePath = Omit<DocumentedPath, 'method' | 'tag' | 'access'> & Partial<DocumentedPath>

function service(path: ServicePath): DocumentedPath {
  return { method: 'get', tag: 'service', access: 'all', ...path }
}

const nonce = { type: 'string', pattern: '^[0-9a-f]{32,128}$' }

/** The other paths of the listener. */
export const servicePaths: readonly DocumentedPath[] = [
  service({
    path: '/identity',
    operationId: 'readIdentity',
    summary: 'Prove that the service knows the operator token, before you send a signed request.',
    parameters: [
      {
        ...inQuery('nonce', 'Random hexadecimal digits, new for each request.', nonce),
        required: true,
      },
      inQuery(
        'operator',
        'Id of the operator whose token is confirmed. Default: the local administrator.',
      ),
    ],
    answers: { 200: { description: 'The proof.', schema: refer('Identity') } },
    problems: ['INVALID_PARAMETER'],
  }),
  service({
    path: '/livez',
    operationId: 'readLiveness',
    summary: 'Check that the process is running.',
    answers: { 200: { description: 'The process is running.', schema: refer('Liveness') } },
  }),
  service({
    path: '/readyz',
    operationId: 'readReadiness',
    summary: 'Check that the service can accept writes.',
    answers: { 200: { description: 'The service accepts writes.', schema: refer('Readiness') } },
    problems: ['SERVICE_UNAVAILABLE'],
  }),
  service({
    path: '/metrics',
    operationId: 'readMetrics',
    summary: 'Read the metrics of this instance for Prometheus.',
    access: 'metrics',
    answers: { 200: { description: 'Metrics.', mediaType: 'text/plain', schema: text('') } },
  }),
  service({
    path: '/requests',
    operationId: 'followRequests',
    summary: 'Follow partner requests as this instance answers them.',
    note: 'Make the first call without `after`. Then send `next` as `after` within a minute, and repeat.',
    access: 'operators',
    parameters: [
      inQuery('after', 'Value of `next` in the previous answer.', { type: 'integer' }),
      inQuery('organization', 'Only requests of this organization.'),
      inQuery('wait', 'How long to wait for a request, up to `30s`.'),
    ],
    answers: { 200: { description: 'The requests.', schema: refer('Request feed') } },
    problems: ['INVALID_PARAMETER'],
  }),
  service({
    path: '/store/backup',
    operationId: 'backUpStore',
    tag: 'store',
    summary: 'Back up the store while the service runs.',
    note: 'Personal data in the backup is encrypted. If the store created its encryption key, the backup contains that key: protect the backup as you protect the store.',
    access: 'operators',
    answers: { 200: { description: 'The backup.', mediaType: 'application/octet-stream' } },
  }),
  service({
    method: 'post',
    path: statementFilePath,
    operationId: 'statement.import_file',
    tag: 'statement',
    summary: 'Import what a bank has sent, with the file as the body.',
    note: 'The same as `statement.import`, for files that are too large for JSON. The body is XML in UTF-8, whatever it declares.',
    access: 'operators',
    parameters: [
      { ...inQuery('name', 'Name of the file.'), required: true },
      inQuery('dry_run', 'Store nothing.', { type: 'boolean' }),
    ],
    body: 'application/xml',
    answers: {
      200: { description: 'Done.', schema: describeOperation('statement.import').answer.schema },
    },
    problems: ['STATEMENT_REFUSED', 'INVALID_PARAMETER'],
  }),
  service({
    path: operatorDocumentPath,
    operationId: 'readOperatorDocument',
    summary: 'Read this document.',
    answers: {
      200: {
        description: 'OpenAPI 3.1.',
        schema: { type: 'object', description: 'An OpenAPI document.' },
        headers: cached,
      },
      ...unchanged,
    },
  }),
  service({
    path: '/docs',
    operationId: 'readReferencePage',
    summary: 'Read this document as a page.',
    answers: {
      200: {
        description: 'One page that loads nothing else.',
        ...page,
        headers: [...cached, 'Content-Security-Policy', 'Content-Encoding', 'Vary'],
      },
      304: { ...unchanged[304], headers: [...cached, 'Vary'] },
    },
  }),
  service({
    path: '/errors',
    operationId: 'listProblemPages',
    summary: 'List the pages of all problems.',
    answers: {
      200: {
        description: 'The list.',
        ...page,
        headers: [...cached, 'Content-Security-Policy'],
      },
      ...unchanged,
    },
  }),
  service({
    path: '/errors/{name}',
    operationId: 'readProblemPage',
    summary: 'Read what a problem means and what to do about it.',
    parameters: [inPath('name', 'Last part of the problem `type`.')],
    answers: {
      200: {
        description: 'The page of the problem.',
        ...page,
        headers: [...cached, 'Content-Security-Policy'],
      },
      ...unchanged,
    },
    problems: ['NOT_FOUND'],
  }),
]
