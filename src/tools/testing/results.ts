/** Answers of the service, with the names of its JSON. */

export interface Fault {
  readonly id: string
  /** An operation id of the contract, or `delivery`. */
  readonly operation: string
  readonly client: string | null
  readonly receiver: string | null
  readonly delay: string | null
  readonly reset: 'before' | 'after-commit' | 'mid-body' | null
  readonly status: number | null
  readonly retry_after: number | null
  readonly code: string | null
  /** null: until the fault is removed. */
  readonly times_left: number | null
  readonly happened: number
}

/** A request with its answer, or an attempt to deliver an event. Secrets and IBANs are masked. */
export interface Exchange {
  readonly sequence: number
  readonly at: string
  readonly direction: 'partner' | 'delivery'
  /** An operation id of the contract, or `delivery`; null for a path that the contract does not have. */
  readonly operation: string | null
  readonly method: string
  /** With the query; for a delivery, the URL. */
  readonly path: string
  /** Headers of the request; their names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** null if there was no answer. */
  readonly status: number | null
  readonly response_headers: Readonly<Record<string, string>>
  readonly response_body: string
  /** The problem code of the answer, or why a delivery failed. */
  readonly code: string | null
  readonly client_id: string | null
  readonly organization_id: string | null
  readonly request_id: string | null
  readonly webhook_endpoint_id: string | null
  readonly duration_ms: number
  /** The id of the fault that affected the exchange. */
  readonly fault: string | null
  /** Whether the request and the answer match the published contract. */
  readonly contract: {
    readonly verdict: 'conforms' | 'violates' | 'unchecked'
    readonly problems: readonly string[]
  }
}

export type OrderStatus = 'draft' | 'submitted' | 'approved' | 'settled' | 'rejected' | 'cancelled'

export interface Order {
  readonly share_purchase_id: string
  readonly status: OrderStatus
  readonly organization_id: string
  readonly investor_id: string
  readonly cooperative_id: string
  readonly share_count: number
  readonly price_per_share: string
  readonly entry_fee: string
  readonly total: string
  readonly total_currency: string
  readonly mandate_reference: string
  readonly debtor_iban_masked: string
  readonly reason: string | null
  readonly created_at: string
  readonly updated_at: string
}

export interface OrderRecord extends Order {
  readonly history: readonly { readonly status: OrderStatus; readonly at: string }[]
}

export type EventState = 'none' | 'pending' | 'delivered' | 'dead'

export interface Event {
  readonly event_id: string
  readonly type: string
  readonly share_purchase_id: string
  readonly organization_id: string
  readonly state: EventState
  readonly created_at: string
}

export interface ListedEvent extends Event {
  readonly attempts: number
}

export interface Attempt {
  readonly webhook_endpoint_id: string | null
  readonly at: string
  readonly delivered: boolean
  readonly status: number | null
  readonly failure: string | null
  readonly detail: string | null
}

export interface EventRecord extends Event {
  /** The exact text that is signed and sent. */
  readonly body: string
  /** Attempts for all receivers, oldest first. */
  readonly attempts: readonly Attempt[]
}

export interface ReplayedEvent extends ListedEvent {
  readonly replayed: number
  /** Why the event was left out. */
  readonly left_alone: string | null
}

interface Met {
  readonly times: number
}

/** The parts of the contract that tests have covered since the start. */
export interface Coverage {
  readonly percentage: number
  readonly met: number
  readonly total: number
  readonly answers: readonly (Met & {
    readonly operation: string
    readonly status: number
    readonly code: string | null
  })[]
  readonly events: readonly (Met & { readonly type: string })[]
  readonly deliveries: readonly (Met & { readonly outcome: string })[]
}
