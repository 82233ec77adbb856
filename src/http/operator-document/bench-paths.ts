import type { ProblemCode } from '../../domain/problem.ts'
import {
  byName,
  count,
  either,
  id,
  instant,
  type JsonSchema,
  list,
  number,
  oneOf,
  orNull,
  refer,
  text,
  truth,
} from '../../wire/json-schema.ts'
import type { DocumentedPath } from './documented-path.ts'

const span = (description: string): JsonSchema => ({
  ...text(`${description} For example \`500ms\`, \`6s\`, \`2m\`, \`3h\` or \`3d\`.`),
  pattern: '^\\d+(ms|s|m|h|d)$',
})

const fault = {
  operation: text('Operation id of the partner API, or `delivery`.'),
  client: id('Only requests of this client.'),
  receiver: id('Only deliveries to this webhook endpoint.'),
  times: { ...count('How often it happens; without it until it is removed.'), minimum: 1 },
  delay: span('Wait before the answer.'),
  reset: oneOf(
    ['before', 'after-commit', 'mid-body'],
    'Break the connection: before anything happens, after the change is stored, or in the middle of the body.',
  ),
  status: { ...count('Answer this status.'), minimum: 400, maximum: 599 },
  retry_after: { ...count('Seconds in the header Retry-After.'), minimum: 0 },
  code: text('Code of the problem that is answered; one that the contract has for the operation.'),
}

/** Bodies of requests, by name; they have no other fields. */
export const benchRequests: Readonly<Record<string, JsonSchema>> = {
  'Clock move request': {
    ...either(
      request({ advance: span('How far to move the clock.'), timeout: timeout() }, ['advance']),
      request({ to: instant('The time to move to.'), timeout: timeout() }, ['to']),
    ),
    description: 'Either how far, or to which time. The clock never goes back.',
  },
  'Journal wait request': request(
    {
      operation: text('Operation id of the partner API, or `delivery`.'),
      count: { ...count('How many exchanges to wait for.'), minimum: 1 },
      timeout: timeout(),
    },
    ['operation', 'count'],
  ),
  'New fault request': request(fault, ['operation']),
  'Token expiry request': request({ client: id('Only tokens of this client.') }),
  'Maintenance request': request(
    { on: truth('Whether partners get 503.'), retry_after: fault.retry_after },
    ['on'],
  ),
}

function timeout(): JsonSchema {
  return span('How long to wait at most.')
}

function request(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = [],
): JsonSchema {
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}

function answer(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', properties, required }
}

const headers = byName(text(''), 'Headers, with secrets masked.')
const body = (description: string) => orNull(text(`${description} Secrets and IBANs are masked.`))

/** Bodies of answers, by name. */
export const benchObjects: Readonly<Record<string, JsonSchema>> = {
  'Bench clock': answer({ now: instant('The time of the clock.') }),
  Exchange: answer(
    {
      sequence: count('Number of the exchange since the start.'),
      at: instant('Time of the request on the clock of the bench.'),
      direction: oneOf(['partner', 'delivery'], 'Request of a partner, or delivery to a receiver.'),
      operation: orNull(text('Operation id of the contract, or `delivery`.')),
      method: text('Method of the request.'),
      path: text('Path with query, or the URL of the receiver.'),
      headers,
      body: body('Body of the request, up to 64 kB.'),
      status: orNull(count('Status of the answer; null if there was none.')),
      response_headers: headers,
      response_body: body('Body of the answer, up to 64 kB.'),
      code: orNull(text('Code of the problem, if one was answered.')),
      client_id: orNull(id('Client that sent the request.')),
      organization_id: orNull(id('Organization of the partner.')),
      request_id: orNull(text('X-Request-Id of the answer.')),
      duration_ms: number('Milliseconds from request to answer.'),
      fault: orNull(text('Id of the fault that was in the way.')),
      contract: refer('Contract verdict', 'Whether the answer follows the contract.'),
      webhook_endpoint_id: orNull(id('For deliveries: the webhook endpoint.')),
      event_id: orNull(id('For deliveries: the event.')),
      event_type: orNull(text('For deliveries: the type of the event.')),
    },
    ['webhook_endpoint_id', 'event_id', 'event_type'],
  ),
  'Contract verdict': answer({
    verdict: oneOf(['conforms', 'violates', 'unchecked'], 'The verdict.'),
    problems: list(text(''), 'What differs from the contract.'),
  }),
  Fault: answer({ id: text('Id of the fault.'), ...fault }, [
    ...Object.keys(fault).filter((name) => name !== 'operation'),
  ]),
  'Expired tokens': answer({ clients: count('Number of clients whose tokens have ended.') }),
  Maintenance: answer({ on: truth('Whether partners get 503.') }),
  'Contract coverage': {
    type: 'object',
    description: 'What of the contract has been met since the start.',
  },
}

const stagingOnly = 'Staging only, with `serve --bench`.'
const problems = ['NOT_FOUND', 'TESTING_AID_IN_PRODUCTION'] as const

type BenchPath = Omit<DocumentedPath, 'tag' | 'access' | 'problems'> & {
  readonly problems?: readonly ProblemCode[]
}

function bench({ note, problems: further = [], ...path }: BenchPath): DocumentedPath {
  return {
    ...path,
    tag: 'bench',
    access: 'operators',
    note: note === undefined ? stagingOnly : `${stagingOnly} ${note}`,
    problems: [...problems, ...further],
  }
}

const done = (schema: JsonSchema, description = 'Done.') => ({ 200: { description, schema } })
const removed = { 204: { description: 'Removed.', isEmpty: true } } as const
const filter = (name: string, description: string, schema: JsonSchema = { type: 'string' }) =>
  ({ name, in: 'query', description, schema }) as const

/** Aids for partners who test against the service. */
export const benchPaths: readonly DocumentedPath[] = [
  bench({
    method: 'get',
    path: '/bench/clock',
    operationId: 'bench.show_clock',
    summary: 'Read the clock.',
    answers: done(refer('Bench clock'), 'The time.'),
  }),
  bench({
    method: 'post',
    path: '/bench/clock',
    operationId: 'bench.move_clock',
    summary: 'Move the clock forward, and do everything that falls due on the way.',
    note: 'The answer comes when nothing that is due is under way any more.',
    request: 'ClockMoveRequest',
    answers: done(refer('Bench clock'), 'The new time.'),
    problemsWithoutCode: { 408: 'Something is still under way; `detail` names it.' },
  }),
  bench({
    method: 'post',
    path: '/bench/reset',
    operationId: 'bench.reset',
    summary: 'Go back to the fixtures and to the time of the start.',
    answers: done(refer('Bench clock'), 'The time of the start.'),
  }),
  bench({
    method: 'get',
    path: '/bench/journal',
    operationId: 'bench.list_exchanges',
    summary: 'List the last exchanges with partners and receivers, oldest first.',
    parameters: [
      filter('operation', 'Only this operation id, or `delivery`.'),
      filter('client', 'Only requests of this client.'),
      filter('organization', 'Only this organization.'),
      filter('direction', 'Only this direction.', {
        type: 'string',
        enum: ['partner', 'delivery'],
      }),
      filter('limit', 'Maximum number of exchanges.', { type: 'integer', minimum: 1 }),
    ],
    answers: done(list(refer('Exchange')), 'The exchanges.'),
    problems: ['INVALID_PARAMETER'],
  }),
  bench({
    method: 'delete',
    path: '/bench/journal',
    operationId: 'bench.clear_journal',
    summary: 'Clear the journal.',
    answers: removed,
  }),
  bench({
    method: 'post',
    path: '/bench/journal/await',
    operationId: 'bench.await_exchanges',
    summary: 'Wait until a number of exchanges are in the journal.',
    request: 'JournalWaitRequest',
    answers: done(list(refer('Exchange')), 'The exchanges.'),
    problemsWithoutCode: { 408: 'There were fewer exchanges when the time was over.' },
  }),
  bench({
    method: 'get',
    path: '/bench/faults',
    operationId: 'bench.list_faults',
    summary: 'List the faults that are set.',
    answers: done(list(refer('Fault')), 'The faults.'),
  }),
  bench({
    method: 'post',
    path: '/bench/faults',
    operationId: 'bench.add_fault',
    summary: 'Set a fault of an operation or of deliveries.',
    request: 'NewFaultRequest',
    answers: { 201: { description: 'The fault.', schema: refer('Fault') } },
  }),
  bench({
    method: 'delete',
    path: '/bench/faults',
    operationId: 'bench.clear_faults',
    summary: 'Remove all faults.',
    answers: removed,
  }),
  bench({
    method: 'delete',
    path: '/bench/faults/{id}',
    operationId: 'bench.remove_fault',
    summary: 'Remove a fault.',
    parameters: [
      { name: 'id', in: 'path', description: 'Id of the fault.', schema: { type: 'string' } },
    ],
    answers: removed,
  }),
  bench({
    method: 'post',
    path: '/bench/tokens/expire',
    operationId: 'bench.expire_tokens',
    summary: 'End access tokens that are still valid.',
    request: 'TokenExpiryRequest',
    answers: done(refer('Expired tokens')),
    problems: ['CLIENT_NOT_FOUND'],
  }),
  bench({
    method: 'post',
    path: '/bench/maintenance',
    operationId: 'bench.set_maintenance',
    summary: 'Answer 503 to partners, or stop doing so.',
    request: 'MaintenanceRequest',
    answers: done(refer('Maintenance')),
  }),
  bench({
    method: 'get',
    path: '/bench/coverage',
    operationId: 'bench.coverage',
    summary: 'Read which operations, statuses, codes and events of the contract have been met.',
    answers: done(refer('Contract coverage'), 'The coverage.'),
  }),
]
