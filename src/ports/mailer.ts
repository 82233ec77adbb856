import type { Currency, Money } from '../domain/money.ts'
import type { Day } from '../domain/payments/bank-days.ts'
import type { SendOutcome } from '../domain/webhooks/delivery.ts'
import type { EventStatus } from '../domain/webhooks/event.ts'

/** An e-mail to an investor: about a new status of an order, or about a direct debit that will follow. */
export type InvestorMail = StatusMail | AnnouncementMail

export type MailKind = InvestorMail['status']

interface MailAboutOrder {
  /** The id does not change when the e-mail is sent again, so that a duplicate can be recognized. */
  readonly deliveryId: string
  readonly to: string
  /** First and last name; null unless both are known. */
  readonly investorName: string | null
  readonly sharePurchaseId: string
  /** The partner through which the order was placed. The investor can ask this partner. */
  readonly organizationName: string
  readonly cooperativeName: string
  readonly cooperativeWebsite: string | null
  readonly currency: Currency
}

export interface StatusMail extends MailAboutOrder {
  readonly status: EventStatus
  readonly shareCount: number
  readonly total: Money
  /** The reason of a rejection; null if none was recorded. */
  readonly reason: string | null
}

/** It has no account number, because an e-mail passes through many systems. */
export interface AnnouncementMail extends MailAboutOrder {
  readonly status: 'payment_announced'
  readonly creditorName: string
  readonly creditorId: string
  readonly mandateReference: string
  readonly amount: Money
  readonly dueDate: Day
}

export interface MailOutcome extends SendOutcome {
  /** Whether another attempt would be pointless. */
  readonly isFinal: boolean
}

export interface Mailer {
  /**
   * A refusal by the mail server is an outcome. An error is our own fault, because the server is
   * ours.
   */
  send(mail: InvestorMail, signal?: AbortSignal): Promise<MailOutcome>
  /** Removes the files of e-mails that were written and not sent. Returns the number of files. */
  removeFiles(deliveryIds: readonly string[]): Promise<number>
  close(): void
}
