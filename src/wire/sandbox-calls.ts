// What partners with self-service can ask the sandbox. Its routes and its document are made from
// this table; src/http/sandbox/routes.ts has a handler for each call.
import type { ProblemCode } from '../domain/problem-code.ts'
import type { AnyStruct } from './check-shape.ts'
import { id, type JsonSchema } from './json-schema.ts'
import {
  eventDetails,
  eventList,
  eventStatus,
  expiredTokens,
  ownSharePurchase,
  reasonShape,
  replayedEvent,
} from './sandbox.ts'
import type { Answer } from './view.ts'

export interface SandboxCall {
  readonly method: 'GET' | 'POST'
  /** With parameters in braces. */
  readonly path: string
  readonly tag: 'Orders' | 'Tokens' | 'Events'
  readonly summary: string
  readonly note?: string
  readonly query?: Readonly<Record<string, JsonSchema>>
  /** An optional body. Other calls with POST must have none. */
  readonly input?: { readonly name: string; readonly shape: AnyStruct }
  readonly answer: Answer<never, unknown>
  /** What the answer is, in words. */
  readonly answers: string
  /** Refusals beyond those that every call can answer. */
  readonly problems?: readonly ProblemCode[]
}

/** How many events are in a list. */
export const eventListLength = { usual: 20, largest: 100 }

const order = '/sandbox/share-purchases/{purchaseId}'
const rejection = { name: 'ReasonRequest', shape: reasonShape }
const step = {
  method: 'POST',
  tag: 'Orders',
  answer: ownSharePurchase,
  answers: 'The order after this step.',
  problems: ['SHARE_PURCHASE_NOT_FOUND', 'SHARE_PURCHASE_ILLEGAL_STATE'],
} as const

/** By operation id. */
export const sandboxCalls = {
  approveOwnSharePurchase: {
    ...step,
    path: `${order}/approve`,
    summary: 'Approve an order',
    note: 'An operator accepts a `submitted` order, and its payment is collected.',
  },
  settleOwnSharePurchase: {
    ...step,
    path: `${order}/settle`,
    summary: 'Settle an order',
    note: 'The payment of an `approved` order has arrived: the investor holds the shares.',
  },
  rejectOwnSharePurchase: {
    ...step,
    path: `${order}/reject`,
    summary: 'Reject an order',
    note: 'An operator refuses a `submitted` or `approved` order.',
    input: rejection,
    problems: [...step.problems, 'VALIDATION_ERROR'],
  },
  returnOwnDirectDebit: {
    ...step,
    path: `${order}/bank-return`,
    summary: 'Let the bank return the payment of an order',
    note: "The investor's bank returns the direct debit of an `approved` order, which is then `rejected`. If you send no reason, the reason is that the account is closed (AC04).",
    input: rejection,
    problems: [...step.problems, 'VALIDATION_ERROR'],
  },
  expireOwnTokens: {
    method: 'POST',
    path: '/sandbox/tokens/expire',
    tag: 'Tokens',
    summary: 'End all access tokens',
    note: 'From now on, all access tokens that your clients have are refused (401), including the token of this request. Your clients can request new ones at once.',
    answer: expiredTokens,
    answers: 'The tokens have been ended.',
  },
  listOwnEvents: {
    method: 'GET',
    path: '/sandbox/events',
    tag: 'Events',
    summary: 'List your events',
    note: 'The oldest event comes first.',
    query: {
      status: { ...eventStatus.schema, description: 'Only events with this status.' },
      limit: {
        type: 'integer',
        description: 'The length of the list. We use the nearest allowed number.',
        minimum: 1,
        maximum: eventListLength.largest,
        default: eventListLength.usual,
      },
      after: id('Only events after this one: `next_after` of the previous list.'),
    },
    answer: eventList,
    answers: 'Events with the number of attempts to deliver them.',
    problems: ['INVALID_PARAMETER', 'EVENT_NOT_FOUND'],
  },
  readOwnEvent: {
    method: 'GET',
    path: '/sandbox/events/{eventId}',
    tag: 'Events',
    summary: 'Read an event with its deliveries',
    answer: eventDetails,
    answers: 'The event, its deliveries and all attempts.',
    problems: ['EVENT_NOT_FOUND'],
  },
  replayOwnEvent: {
    method: 'POST',
    path: '/sandbox/events/{eventId}/replay',
    tag: 'Events',
    summary: 'Send an event again',
    note: 'Each delivery that has arrived or is dead gets six new attempts with the same body. A delivery that is still pending is left alone.',
    answer: replayedEvent,
    answers: 'What is sent again.',
    problems: ['EVENT_NOT_FOUND'],
  },
} as const satisfies Readonly<Record<string, SandboxCall>>

type Calls = typeof sandboxCalls
export type SandboxCallName = keyof Calls

export const sandboxCallNames = Object.keys(sandboxCalls) as readonly SandboxCallName[]

/** What the answer is made from. */
export type SandboxSource<Name extends SandboxCallName> = Calls[Name]['answer'] extends {
  render(source: infer Source): unknown
}
  ? Source
  : never
