import { operationManual } from '../../operations/manual.ts'
import { type OperationName, operationNames } from '../../operations/operations.ts'
import { refer, text } from '../../wire/json-schema.ts'
import { operatorDocumentPath } from '../reference-page.ts'
import type { DocumentedPath } from './documented-path.ts'
import { requestName } from './schemas.ts'

/** One path for each operation. */
export const operationPaths: readonly DocumentedPath[] = operationNames.map(pathOf)

function pathOf(name: OperationName): DocumentedPath {
  const { summary, note, answer, problems } = operationManual[name]
  return {
    method: 'post',
    path: `/operations/${name}`,
    operationId: name,
    tag: nounOf(name),
    summary,
    note,
    access: 'operators',
    request: requestName(name),
    answers: { 200: { description: 'Done.', schema: answer } },
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

/** The other paths of the listener. */
export const servicePaths: readonly DocumentedPath[] = [
  {
    method: 'get',
    path: '/identity',
    operationId: 'readIdentity',
    tag: 'service',
    summary: 'Prove that the service knows the operator token, before you send a signed request.',
    access: 'all',
    parameters: [
      {
        name: 'nonce',
        in: 'query',
        description: 'Random hexadecimal digits, new for each request.',
        required: true,
        schema: { type: 'string', pattern: '^[0-9a-f]{32,128}$' },
      },
      {
        name: 'operator',
        in: 'query',
        description:
          'Id of the operator whose token the proof is about. Default: the local administrator.',
        schema: { type: 'string' },
      },
    ],
    answers: { 200: { description: 'The proof.', schema: refer('Identity') } },
    problems: ['INVALID_PARAMETER'],
  },
  {
    method: 'get',
    path: '/livez',
    operationId: 'readLiveness',
    tag: 'service',
    summary: 'Check that the process is running.',
    access: 'all',
    answers: { 200: { description: 'The process is running.', schema: refer('Liveness') } },
  },
  {
    method: 'get',
    path: '/readyz',
    operationId: 'readReadiness',
    tag: 'service',
    summary: 'Check that the service can accept writes.',
    access: 'all',
    answers: { 200: { description: 'The service accepts writes.', schema: refer('Readiness') } },
    problems: ['SERVICE_UNAVAILABLE'],
  },
  {
    method: 'get',
    path: '/metrics',
    operationId: 'readMetrics',
    tag: 'service',
    summary: 'Read the metrics of this instance for Prometheus.',
    access: 'metrics',
    answers: { 200: { description: 'Metrics.', mediaType: 'text/plain', schema: text('') } },
  },
  {
    method: 'get',
    path: '/requests',
    operationId: 'followRequests',
    tag: 'service',
    summary: 'Follow the requests of partners as this instance answers them.',
    note: 'Make the first call without `after`. Then send `next` as `after` within a minute, and repeat.',
    access: 'operators',
    parameters: [
      {
        name: 'after',
        in: 'query',
        description: 'Value of `next` in the previous answer.',
        schema: { type: 'integer' },
      },
      {
        name: 'organization',
        in: 'query',
        description: 'Only requests of this organization.',
        schema: { type: 'string' },
      },
      {
        name: 'wait',
        in: 'query',
        description: 'How long to wait for a request, up to `30s`.',
        schema: { type: 'string' },
      },
    ],
    answers: { 200: { description: 'The requests.', schema: refer('Request feed') } },
    problems: ['INVALID_PARAMETER'],
  },
  {
    method: 'get',
    path: '/store/backup',
    operationId: 'backUpStore',
    tag: 'store',
    summary: 'Back up the store while the service runs.',
    note: 'Personal data in the backup is encrypted. If the store created its encryption key, the backup contains that key: protect the backup as you protect the store.',
    access: 'operators',
    answers: { 200: { description: 'The backup.', mediaType: 'application/octet-stream' } },
    problems: [],
  },
  {
    method: 'get',
    path: operatorDocumentPath,
    operationId: 'readOperatorDocument',
    tag: 'service',
    summary: 'Read this document.',
    access: 'all',
    answers: {
      200: {
        description: 'OpenAPI 3.1.',
        schema: { type: 'object', description: 'An OpenAPI document.' },
        headers: cached,
      },
      ...unchanged,
    },
  },
  {
    method: 'get',
    path: '/docs',
    operationId: 'readReferencePage',
    tag: 'service',
    summary: 'Read this document as a page.',
    access: 'all',
    answers: {
      200: {
        description: 'One page that loads nothing else.',
        ...page,
        headers: [...cached, 'Content-Security-Policy', 'Content-Encoding', 'Vary'],
      },
      304: { ...unchanged[304], headers: [...cached, 'Vary'] },
    },
  },
  {
    method: 'get',
    path: '/errors/{name}',
    operationId: 'readProblemPage',
    tag: 'service',
    summary: 'Read what a problem means and what to do about it.',
    access: 'all',
    parameters: [
      {
        name: 'name',
        in: 'path',
        description: 'Last part of the `type` of a problem.',
        schema: { type: 'string' },
      },
    ],
    answers: {
      200: {
        description: 'The page of the problem.',
        ...page,
        headers: [...cached, 'Content-Security-Policy'],
      },
      ...unchanged,
    },
    problems: ['NOT_FOUND'],
  },
]
