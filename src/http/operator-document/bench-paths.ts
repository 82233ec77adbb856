import type { ProblemCode } from '../../domain/problem-code.ts'
import {
  awaitShape,
  clockShape,
  faultShape,
  maintenanceShape,
  tokensShape,
} from '../../wire/bench.ts'
import { type JsonSchema, list, refer } from '../../wire/json-schema.ts'
import { schemaOfShape } from '../../wire/schema-of-shape.ts'
import { type DocumentedPath, inPath, inQuery } from './documented-path.ts'

/** Bodies of requests, by name; they have no other fields. */
export const benchRequests: Readonly<Record<string, JsonSchema>> = {
  'Clock move request': schemaOfShape(clockShape),
  'Journal wait request': schemaOfShape(awaitShape),
  'New fault request': schemaOfShape(faultShape),
  'Token expiry request': schemaOfShape(tokensShape),
  'Maintenance request': schemaOfShape(maintenanceShape),
}

const stagingOnly = 'Staging only, with `serve --bench`.'
const problems = ['NOT_FOUND', 'BENCH_OFF', 'TESTING_AID_IN_PRODUCTION'] as const

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
const removed = done(refer('Removed'), 'The number of removed items.')

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
    summary: 'Move the clock forwards, and do all work that falls due in the meantime.',
    note: 'Either `advance`, such as `3d`, or `to`, an instant. The answer comes when all due work is done.',
    request: 'ClockMoveRequest',
    answers: done(refer('Bench clock'), 'The new time.'),
    problems: ['CLOCK_BACKWARDS', 'CLOCK_BUSY'],
  }),
  bench({
    method: 'post',
    path: '/bench/reset',
    operationId: 'bench.reset',
    summary: 'Reset the service to its fixtures and to the time of the start.',
    answers: done(refer('Bench clock'), 'The time of the start.'),
  }),
  bench({
    method: 'get',
    path: '/bench/journal',
    operationId: 'bench.list_exchanges',
    summary: 'List the last exchanges with partners and receivers, oldest first.',
    parameters: [
      inQuery('operation', 'Only requests with this operation id; `delivery` selects deliveries.'),
      inQuery('client', 'Only requests of this client.'),
      inQuery('organization', 'Only exchanges of this organization.'),
      inQuery('direction', 'Only exchanges in this direction.', {
        type: 'string',
        enum: ['partner', 'delivery'],
      }),
      inQuery('after', 'Only exchanges with a higher sequence number.', { type: 'integer' }),
      inQuery('wait', 'How long to wait for an exchange, up to `30s`.'),
      inQuery('limit', 'Maximum number of exchanges.', { type: 'integer', minimum: 1 }),
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
    problems: ['AWAIT_TIMEOUT'],
  }),
  bench({
    method: 'get',
    path: '/bench/faults',
    operationId: 'bench.list_faults',
    summary: 'List the faults that can still occur.',
    answers: done(list(refer('Fault')), 'The faults.'),
  }),
  bench({
    method: 'post',
    path: '/bench/faults',
    operationId: 'bench.add_fault',
    summary: 'Make an operation or deliveries fail.',
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
    parameters: [inPath('id', 'Id of the fault.')],
    answers: removed,
    problems: ['FAULT_NOT_FOUND'],
  }),
  bench({
    method: 'post',
    path: '/bench/tokens/expire',
    operationId: 'bench.expire_tokens',
    summary: 'Make access tokens expire immediately.',
    request: 'TokenExpiryRequest',
    answers: done(refer('Expired tokens')),
    problems: ['CLIENT_NOT_FOUND'],
  }),
  bench({
    method: 'get',
    path: '/bench/maintenance',
    operationId: 'bench.show_maintenance',
    summary: 'Find out whether partners get 503.',
    answers: done(refer('Maintenance')),
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
    summary:
      'Find out which operations, statuses, codes and events of the contract your tests have covered.',
    answers: done(refer('Bench coverage'), 'The coverage.'),
  }),
]
