import type { Answer } from './pinned-contract.ts'

/** What is known so far: later requests are made of it. */
export interface Known {
  readonly [name: string]: string
}

/** Says what is wrong with an answer that is as the contract says, but not as the journey went. */
export type Expectation = (
  answer: Answer,
  known: Known,
) => string | undefined | Promise<string | undefined>

/** One request of the journey, and the status with which it has to be answered. */
export interface Step {
  readonly operationId: string
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: (known: Known) => string
  readonly status: number
  /** Of the problem, for a refusal. */
  readonly code?: string
  readonly headers?: (known: Known) => Readonly<Record<string, string>>
  readonly body?: (known: Known) => unknown
  /** Without the token, though it is below /v1. */
  readonly isAnonymous?: true
  /** Left out unless these are known: not every deployment has such things. */
  readonly needs?: readonly string[]
  /** Why a journey without this step is none, and what to do. */
  readonly indispensable?: (known: Known) => string
  /** The answer, byte for byte. */
  readonly text?: string
  readonly expect?: readonly Expectation[]
  /** What `keep` learns, if the deployment has such things. */
  readonly provides?: readonly string[]
  readonly keep?: (body: unknown, headers: Headers) => Known
}

/** Of nobody: what is not there has to be refused as the contract says. */
export const nobody = '00000000-0000-4000-8000-000000000000'

export const paths = {
  investor: ({ investorId = nobody }: Known) => `/v1/investors/${investorId}`,
  profile: (known: Known) => `${paths.investor(known)}/profile`,
  orders: (known: Known) => `${paths.investor(known)}/share-purchases`,
  order: (known: Known) => `${paths.orders(known)}/${known['sharePurchaseId'] ?? nobody}`,
  cancel: (known: Known) => `${paths.order(known)}/cancel`,
  holdings: (known: Known) => `${paths.investor(known)}/holdings`,
  byReference: ({ reference }: Known) => `/v1/investors?partner_customer_ref=${reference}`,
}

export function read(operationId: string, path: string | Step['path']): Step {
  return {
    operationId,
    method: 'GET',
    path: path instanceof Function ? path : () => path,
    status: 200,
  }
}

export function refused(step: Step, status: number, code: string): Step {
  return { ...step, status, code }
}
