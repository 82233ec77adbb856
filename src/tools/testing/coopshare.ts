import type {
  Coverage,
  EventRecord,
  EventState,
  Exchange,
  Fault,
  ListedEvent,
  Order,
  OrderRecord,
  OrderStatus,
  ReplayedEvent,
} from './results.ts'

export interface StartOptions {
  /** Fixture files by path, or their content as objects. Without any, the demo data. */
  readonly fixtures?: readonly (string | object)[] | undefined
  /** Start of the clock, such as `2026-11-20T10:00:00Z`, or a `Date`. By default the time of the machine. */
  readonly now?: string | Date | undefined
  /** Makes ids and secrets the same in each run. */
  readonly seed?: number | undefined
  /** More flags of `serve`, such as `['--rate-limit', '60']`. */
  readonly args?: readonly string[] | undefined
}

/** A service with its bench, for your tests. */
export interface Coopshare extends AsyncDisposable {
  /** Address of the partner API, without `/v1` or `/oauth2`. */
  readonly url: string
  readonly operatorUrl: string
  readonly operatorToken: string
  /** Credentials of the first client in the fixtures, or of the demo data. */
  readonly clientId: string
  readonly clientSecret: string
  readonly clock: BenchClock
  readonly faults: Faults
  readonly journal: Journal
  readonly orders: Orders
  readonly events: Events
  readonly tokens: Tokens
  /** Sets a fault. The fault occurs until you clear it, or as many times as `times` says. */
  fault(fault: NewFault): Promise<Fault>
  /** Registers a receiver of events. */
  webhooks(receiver: NewReceiver): Promise<Receiver>
  /** Short for `orders.approve`; the next three are short for other decisions. */
  approve(id: string): Promise<Order>
  settle(id: string): Promise<Order>
  reject(id: string, reason?: string): Promise<Order>
  bankReturn(id: string, reason?: string): Promise<Order>
  /** While the maintenance is on, partners get 503. */
  maintenance(on: boolean, options?: { readonly retryAfter?: number }): Promise<void>
  /** Returns to the fixtures and to the start of the clock; ends faults, and empties the journal. */
  reset(): Promise<void>
  /** The parts of the contract that your tests have covered. */
  coverage(): Promise<Coverage>
  /** Any operation of an operator, by its name, such as `cooperative.set_price`. */
  operation<Result = unknown>(name: string, input?: object): Promise<Result>
  /** Stops the service and removes its data. */
  close(): Promise<void>
}

/** The clock moves only when a test moves it. Times have the form `500ms`, `6s`, `2m`, `3h` or `3d`. */
export interface BenchClock {
  now(): Promise<string>
  /** Resolves when everything that became due is done. `0s` waits for work that is due now. */
  advance(time: string, options?: MoveOptions): Promise<string>
  to(instant: string | Date, options?: MoveOptions): Promise<string>
}

export interface MoveOptions {
  /** How long the work may take; by default `30s`. */
  readonly timeout?: string
}

export interface NewFault {
  /** An operation id of the contract, such as `placeSharePurchase`, or `delivery`. */
  readonly on: string
  /** Only requests of this client. */
  readonly client?: string
  /** Only deliveries to this receiver. */
  readonly receiver?: string
  readonly times?: number
  readonly delay?: string
  /** `after-commit` carries out the request and loses the answer. */
  readonly reset?: 'before' | 'after-commit' | 'mid-body'
  readonly status?: number
  /** Retry-After of the answer, in seconds. */
  readonly retryAfter?: number
  /** The problem code of the answer; by default the usual one of the status. */
  readonly code?: string
}

export interface Faults {
  /** Lists the faults that can still occur. */
  list(): Promise<readonly Fault[]>
  remove(id: string): Promise<void>
  clear(): Promise<void>
}

export interface ExchangeFilter {
  readonly client?: string
  readonly organization?: string
  readonly direction?: 'partner' | 'delivery'
  /** The maximum number of exchanges; the newest ones are returned. */
  readonly limit?: number
}

export interface AwaitedExchanges {
  readonly operation: string
  /** The number of exchanges to wait for; by default 1. */
  readonly count?: number
  /** The time limit; by default `5s`. */
  readonly timeout?: string
  readonly client?: string
  readonly organization?: string
}

/** The last 1,000 exchanges with partners, oldest first. */
export interface Journal {
  (operation?: string, filter?: ExchangeFilter): Promise<readonly Exchange[]>
  /** Resolves as soon as the journal has this number of exchanges. Fails after the timeout. */
  await(awaited: AwaitedExchanges): Promise<readonly Exchange[]>
  clear(): Promise<void>
}

export interface NewReceiver {
  /** Id or exact name. */
  readonly organization: string
  readonly to: string
  /** The signing secret; by default the service creates one. */
  readonly secret?: string
}

export interface Receiver {
  readonly id: string
  readonly organizationId: string
  readonly url: string
  readonly secret: string
  /** Replaces the signing secret, and returns the new one. */
  rotateSecret(): Promise<string>
  remove(): Promise<void>
}

export interface Orders {
  list(filter?: {
    readonly status?: OrderStatus
    readonly organization?: string
    readonly limit?: number
  }): Promise<readonly Order[]>
  show(id: string): Promise<OrderRecord>
  approve(id: string): Promise<Order>
  settle(id: string): Promise<Order>
  reject(id: string, reason?: string): Promise<Order>
  cancel(id: string): Promise<Order>
  /** The bank returns the direct debit of an approved order: the order is rejected. */
  bankReturn(id: string, reason?: string): Promise<Order>
}

export interface EventFilter {
  readonly organization?: string
  readonly type?: string
  readonly since?: string
  readonly until?: string
  readonly limit?: number
}

export interface Events {
  list(filter?: EventFilter & { readonly state?: EventState }): Promise<readonly ListedEvent[]>
  show(id: string): Promise<EventRecord>
  /** Lets the service send an event again, or all events that the filter selects. */
  replay(
    which: string | (EventFilter & { readonly dead?: boolean }),
  ): Promise<readonly ReplayedEvent[]>
  /**
   * Sends events from your test to the receivers that `webhooks` registered: twice, in your order, stale, or altered. The
   * journal does not contain them.
   */
  deliver(
    events: string | readonly string[],
    options?: DeliverOptions,
  ): Promise<readonly DeliveredEvent[]>
}

export interface DeliverOptions {
  /** The number of times that each event is sent; by default 1. */
  readonly times?: number
  readonly order?: 'given' | 'reversed'
  /** The id of one receiver. */
  readonly to?: string
  /** The time in the signature; by default now. */
  readonly at?: string | Date
  /** Signs with a secret other than that of the receiver. */
  readonly secret?: string
  /** Sends the event as one of this type. */
  readonly type?: string
}

export interface DeliveredEvent {
  readonly eventId: string
  readonly receiver: string
  /** Status that the receiver answered. */
  readonly status: number
}

export interface Tokens {
  /** Ends all access tokens, or those of one client, before their time. */
  expire(which?: { readonly client?: string }): Promise<void>
}
