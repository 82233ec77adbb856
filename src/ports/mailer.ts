import type { Currency, Money } from '../domain/money.ts'
import type { ToldStatus } from '../domain/share-purchases/share-purchase-event.ts'
import type { SendOutcome } from '../domain/webhooks/delivery.ts'

/** What an investor is told of an order. */
export interface InvestorMail {
  /** The same whenever the same mail is sent again, so that a second one can be recognised. */
  readonly deliveryId: string
  readonly to: string
  readonly cooperativeName: string
  readonly shareCount: number
  readonly total: Money
  readonly currency: Currency
  readonly status: ToldStatus
}

export interface MailOutcome extends SendOutcome {
  /** Asking again would change nothing. */
  readonly isFinal: boolean
}

export interface Mailer {
  /** That the mail server does not take this mail is an outcome. What it throws is our own fault: the server is ours. */
  send(mail: InvestorMail, signal?: AbortSignal): Promise<MailOutcome>
  close(): void
}
