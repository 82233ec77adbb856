// What one can ask the bench. Its routes, the operators' document and the commands are made from
// this table; src/http/bench/routes.ts has a handler for each call.
import type { Infer } from 'superstruct'
import type { ProblemCode } from '../domain/problem-code.ts'
import { directions } from '../usecases/bench/journal.ts'
import {
  awaitShape,
  benchClock,
  benchCoverage,
  benchFault,
  clockShape,
  exchange,
  expiredTokens,
  faultShape,
  maintenance,
  maintenanceShape,
  removed,
  tokensShape,
} from './bench.ts'
import type { AnyStruct } from './check-shape.ts'
import { count, type JsonSchema, oneOf, text } from './json-schema.ts'
import { type Answer, many, type Rendered } from './view.ts'

export interface BenchCall {
  /** Viewers may only use GET. */
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** With parameters in braces, all of which are in `place`. */
  readonly path: string
  readonly summary: string
  readonly note?: string
  readonly place?: Readonly<Record<string, JsonSchema>>
  readonly query?: Readonly<Record<string, JsonSchema>>
  /** The body; documents show it under this name. */
  readonly input?: { readonly name: string; readonly shape: AnyStruct }
  readonly answer: Answer<never, unknown>
  /** What the answer is, in words, if it is more than an acknowledgement. */
  readonly answers?: string
  /** Default: 200. */
  readonly status?: number
  /** Refusals beyond those that every call can answer. */
  readonly problems?: readonly ProblemCode[]
}

export const benchCalls = {
  'bench.show_clock': {
    method: 'GET',
    path: '/bench/clock',
    summary: 'Read the clock.',
    answer: benchClock,
    answers: 'The time.',
  },
  'bench.move_clock': {
    method: 'POST',
    path: '/bench/clock',
    summary: 'Move the clock forwards, and do all work that falls due in the meantime.',
    note: 'Either `advance`, such as `3d`, or `to`, an instant. The answer comes when all due work is done.',
    input: { name: 'Clock move request', shape: clockShape },
    answer: benchClock,
    answers: 'The new time.',
    problems: ['CLOCK_BACKWARDS', 'CLOCK_BUSY'],
  },
  'bench.reset': {
    method: 'POST',
    path: '/bench/reset',
    summary: 'Reset the service to its fixtures and to the time of the start.',
    answer: benchClock,
    answers: 'The time of the start.',
  },
  'bench.list_exchanges': {
    method: 'GET',
    path: '/bench/journal',
    summary: 'List the last exchanges with partners and receivers, oldest first.',
    query: {
      operation: text('Only requests with this operation id; `delivery` selects deliveries.'),
      client: text('Only requests of this client.'),
      organization: text('Only exchanges of this organization.'),
      direction: oneOf(directions, 'Only exchanges in this direction.'),
      after: count('Only exchanges with a higher sequence number.'),
      wait: text('How long to wait for an exchange, up to `30s`.'),
      limit: { ...count('Maximum number of exchanges.'), minimum: 1 },
    },
    answer: many(exchange),
    answers: 'The exchanges.',
    problems: ['INVALID_PARAMETER'],
  },
  'bench.clear_journal': {
    method: 'DELETE',
    path: '/bench/journal',
    summary: 'Clear the journal.',
    answer: removed,
    answers: 'The number of removed items.',
  },
  'bench.await_exchanges': {
    method: 'POST',
    path: '/bench/journal/await',
    summary: 'Wait until a number of exchanges are in the journal.',
    input: { name: 'Journal wait request', shape: awaitShape },
    answer: many(exchange),
    answers: 'The exchanges.',
    problems: ['AWAIT_TIMEOUT'],
  },
  'bench.list_faults': {
    method: 'GET',
    path: '/bench/faults',
    summary: 'List the faults that can still occur.',
    answer: many(benchFault),
    answers: 'The faults.',
  },
  'bench.add_fault': {
    method: 'POST',
    path: '/bench/faults',
    summary: 'Make an operation or deliveries fail.',
    input: { name: 'New fault request', shape: faultShape },
    answer: benchFault,
    answers: 'The fault.',
    status: 201,
  },
  'bench.clear_faults': {
    method: 'DELETE',
    path: '/bench/faults',
    summary: 'Remove all faults.',
    answer: removed,
    answers: 'The number of removed items.',
  },
  'bench.remove_fault': {
    method: 'DELETE',
    path: '/bench/faults/{id}',
    summary: 'Remove a fault.',
    place: { id: text('Id of the fault.') },
    answer: removed,
    answers: 'The number of removed items.',
    problems: ['FAULT_NOT_FOUND'],
  },
  'bench.expire_tokens': {
    method: 'POST',
    path: '/bench/tokens/expire',
    summary: 'Make access tokens expire immediately.',
    input: { name: 'Token expiry request', shape: tokensShape },
    answer: expiredTokens,
    problems: ['CLIENT_NOT_FOUND'],
  },
  'bench.show_maintenance': {
    method: 'GET',
    path: '/bench/maintenance',
    summary: 'Find out whether partners get 503.',
    answer: maintenance,
  },
  'bench.set_maintenance': {
    method: 'POST',
    path: '/bench/maintenance',
    summary: 'Answer 503 to partners, or stop doing so.',
    input: { name: 'Maintenance request', shape: maintenanceShape },
    answer: maintenance,
  },
  'bench.coverage': {
    method: 'GET',
    path: '/bench/coverage',
    summary:
      'Find out which operations, statuses, codes and events of the contract your tests have covered.',
    answer: benchCoverage,
    answers: 'The coverage.',
  },
} as const satisfies Readonly<Record<string, BenchCall>>

type Calls = typeof benchCalls
export type BenchCallName = keyof Calls

export const benchCallNames = Object.keys(benchCalls) as readonly BenchCallName[]

type Sent<Call> = Call extends { readonly input: { readonly shape: infer Shape } }
  ? Infer<Extract<Shape, AnyStruct>>
  : object
type Named<Call, Kind extends 'place' | 'query'> = Call extends {
  readonly [_ in Kind]: infer Values
}
  ? { readonly [Name in keyof Values]?: string | number | undefined }
  : object

/** The body of a call; an empty object if the call has none. */
export type BenchInput<Name extends BenchCallName> = Sent<Calls[Name]>
/** The body, the query and the parameters of the path. */
export type BenchRequest<Name extends BenchCallName> = Sent<Calls[Name]> &
  Named<Calls[Name], 'place'> &
  Named<Calls[Name], 'query'>
export type BenchAnswer<Name extends BenchCallName> = Rendered<Calls[Name]['answer']>
/** What the answer is made from. */
export type BenchSource<Name extends BenchCallName> = Calls[Name]['answer'] extends {
  render(source: infer Source): unknown
}
  ? Source
  : never

type Send = (method: BenchCall['method'], path: string, body?: object) => Promise<unknown>

/** @param send sends a request to the operator endpoint of a service */
export async function callBench<Name extends BenchCallName>(
  send: Send,
  name: Name,
  request: BenchRequest<Name>,
): Promise<BenchAnswer<Name>> {
  const { method, path, query = {}, input }: BenchCall = benchCalls[name]
  const given = new Map(Object.entries(request).filter(([, value]) => value !== undefined))
  const place = path.replaceAll(/\{(\w+)\}/g, (_, key) => encodeURIComponent(given.get(key)))
  const search = new URLSearchParams()
  for (const [key, value] of given) if (Object.hasOwn(query, key)) search.set(key, String(value))
  const target = search.size === 0 ? place : `${place}?${search}`
  return (await send(method, target, input && request)) as BenchAnswer<Name>
}
