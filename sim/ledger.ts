// What the partners and the operators know of their requests: which were acknowledged, and which
// have an unknown outcome.
import type { Decision, Status } from './orders.ts'

export interface Organization {
  readonly name: string
  readonly organizationId: string
  readonly clientId: string
  /** Secrets that the service must accept. */
  secrets: { readonly id: string; readonly secret: string }[]
  readonly address: string
  token: string | undefined
  tokenMs: number
  /** The first token, which the partner keeps until it has expired. */
  firstToken: { readonly token: string; readonly atMs: number } | undefined
  readonly investors: Investor[]
}

export interface Investor {
  readonly organization: Organization
  readonly reference: string
  readonly iban: string
  readonly surname: string
  /** The id, once the service has acknowledged a registration. */
  investorId: string | undefined
  /** All calls about the orders of the investor, in the order in which they began. */
  readonly calls: RecordedCall[]
  readonly orders: Order[]
}

export interface Order {
  readonly investor: Investor
  readonly key: string
  readonly cooperative: Cooperative
  readonly shareCount: number
  readonly body: string
  sharePurchaseId: string | undefined
  /** When the order was sent for the first time. */
  firstSentMs: number | undefined
  /** The fields that never change, as first seen in an answer. */
  frozen: string | undefined
  /**
   * Each status that was acknowledged: `submitted` for the order itself, and one for each decision.
   */
  readonly acknowledged: Set<Status>
  /** Whether a request that placed the order has had no answer. */
  isUncertain: boolean
  /** Decisions that had no answer. */
  readonly uncertain: Set<Decision>
  /** Whether an operator has said that the money was paid back. */
  isRefunded: boolean
}

export interface Cooperative {
  readonly cooperativeId: string
  readonly key: string
  /**
   * Whether the cooperative has no entry fee and no minimum, so no order depends on another one.
   */
  readonly isSimple: boolean
  /** The moment from which each approval begins a payment; undefined without a creditor. */
  creditorFrom: number | undefined
}

export type RecordedCall = {
  readonly from: number
  to: number | undefined
  /**
   * Whether the request has reached the service. A request that has not can have changed nothing.
   */
  isReached: boolean
} & (
  | { readonly kind: 'place'; readonly order: Order; answered: Status | 'refused' | undefined }
  | {
      readonly kind: 'decide'
      readonly order: Order
      readonly decision: Decision
      /** `unfit` if the decision does not fit the payment. */
      answered: 'done' | 'refused' | 'unfit' | undefined
    }
  | { readonly kind: 'see'; readonly seen: Map<Order, Status>; readonly isAll: boolean }
  | {
      readonly kind: 'hold'
      readonly holdings: Map<string, { readonly shares: number; readonly pendingShares: number }>
    }
)

export class Ledger {
  readonly organizations: Organization[] = []
  readonly cooperatives: Cooperative[] = []
  readonly byId = new Map<string, Order>()
  /** Secrets and personal data that must not be in clear text on the disk or in a log. */
  readonly confidential = new Set<string>()
  /** The organization that each private id belongs to. */
  readonly owners = new Map<string, string>()

  get investors(): Investor[] {
    return this.organizations.flatMap(({ investors }) => investors)
  }

  get orders(): Order[] {
    return this.investors.flatMap(({ orders }) => orders)
  }
}
