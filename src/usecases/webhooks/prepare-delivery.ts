import type { Profile } from '../../domain/investors/profile.ts'
import type { DeadReason, Delivery, SendOutcome } from '../../domain/webhooks/delivery.ts'
import {
  deriveAnnouncementId,
  type Event,
  sharePurchaseIdOf,
  statusOfEvent,
  type Topic,
} from '../../domain/webhooks/event.ts'
import type { AnnouncementMail, InvestorMail, StatusMail } from '../../ports/mailer.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import { openInvestor } from '../investors/investors.ts'
import { readTogether } from '../read-together.ts'
import type { Service } from '../service.ts'
import { sendWebhook } from './send-webhook.ts'

export interface Sending {
  readonly attemptId: string
  readonly signal: AbortSignal
}

export type Send = (sending: Sending) => Promise<SendOutcome & { readonly isFinal?: boolean }>

/**
 * Returns a function that sends the delivery with current data, or why it will never be sent;
 * `held` if its endpoint was paused or its organization disabled since the last poll.
 */
export async function prepareDelivery(
  records: ReadableRecords,
  service: Service,
  delivery: Delivery,
): Promise<Send | DeadReason | 'held'> {
  const { target, eventId, organizationId } = delivery
  const { event, endpoint, organization } = await readTogether({
    event: records.events.get(eventId),
    endpoint:
      target.kind === 'webhook'
        ? records.webhookEndpoints.get(target.webhookEndpointId)
        : undefined,
    organization: records.organizations.get(organizationId),
  })
  if (!event) throw new Error('A delivery is stored without its event.')
  if (target.kind === 'mail') return prepareMail(records, service, { delivery, event })
  const { type, body } = event
  if (!endpoint) return 'endpoint_removed'
  if (endpoint.pausedAt !== null || organization?.disabled) return 'held'
  return (sending) => sendWebhook(service, { endpoint, type, body, ...sending })
}

interface MailToPrepare {
  readonly delivery: Delivery
  readonly event: Event
}

type Composed<Mail extends InvestorMail> = Omit<Mail, 'deliveryId' | 'organizationName' | 'to'> & {
  readonly to: string | null
}

type Compose = (
  records: ReadableRecords,
  service: Pick<Service, 'vault'>,
  event: Event,
) => Promise<Composed<StatusMail> | Composed<AnnouncementMail> | DeadReason>

/** The content of an e-mail depends on the topic of the event. */
const composers: Readonly<Record<Topic, Compose>> = {
  share_purchase: composeSharePurchaseMail,
  payment: composeAnnouncement,
}

/**
 * Uses the current address of the investor, unless the partner or the operator has turned e-mails
 * off meanwhile.
 */
async function prepareMail(
  records: ReadableRecords,
  service: Service,
  { delivery: { deliveryId }, event }: MailToPrepare,
): Promise<Send | DeadReason> {
  if (!service.settings.investorMail) return 'mail_turned_off'
  const [organization, composed] = await Promise.all([
    records.organizations.get(event.organizationId),
    composers[event.topic](records, service, event),
  ])
  if (!organization?.investorMail) return 'mail_turned_off'
  if (typeof composed === 'string') return composed
  const { to, ...content } = composed
  if (to === null) return 'no_mail_address'
  const mail = { deliveryId, to, organizationName: organization.name, ...content }
  return ({ signal }) => service.mailer.send(mail, signal)
}

async function composeSharePurchaseMail(
  records: ReadableRecords,
  service: Pick<Service, 'vault'>,
  event: Event,
): Promise<Composed<StatusMail>> {
  const { order, ...addressee } = await readAddressee(records, service, event)
  const status = statusOfEvent(event)
  if (status === null) throw new Error('An event about an order reports no status.')
  return {
    ...addressee,
    shareCount: order.shareCount,
    total: order.total,
    status,
    // A late e-mail reports the status at that time, not how the order has ended since.
    reason: status === 'rejected' ? order.reason : null,
  }
}

/** Announces nothing that was cancelled meanwhile. */
async function composeAnnouncement(
  records: ReadableRecords,
  service: Pick<Service, 'vault'>,
  event: Event,
): Promise<Composed<AnnouncementMail> | DeadReason> {
  const { order, ...addressee } = await readAddressee(records, service, event)
  const payment = await records.payments.get(order.sharePurchaseId)
  const attempt = payment?.attempts.find(
    ({ endToEndId }) => deriveAnnouncementId(endToEndId) === event.eventId,
  )
  const [debit, collection] = await Promise.all([
    attempt && records.directDebits.get(attempt.endToEndId),
    attempt && records.debitCollections.get(attempt.collectionId),
  ])
  if (!debit || !collection) {
    throw new Error('An announcement is stored without its direct debit or collection.')
  }
  if (collection.state === 'cancelled' || attempt?.state === 'cancelled') {
    return 'payment_cancelled'
  }
  const { creditor, dueDate } = collection
  return {
    ...addressee,
    status: 'payment_announced',
    creditorName: creditor.name,
    creditorId: creditor.creditorId,
    mandateReference: debit.mandateReference,
    amount: debit.amount,
    dueDate,
  }
}

/** The order of the event, and what every e-mail says. */
async function readAddressee(
  records: ReadableRecords,
  { vault }: Pick<Service, 'vault'>,
  event: Event,
) {
  const { organizationId } = event
  const sharePurchaseId = sharePurchaseIdOf(event)
  const order = await records.sharePurchases.get(organizationId, sharePurchaseId)
  if (!order) throw new Error('An event is stored without its order.')
  const { investor, cooperative } = await readTogether({
    investor: records.investors.get(organizationId, order.investorId),
    cooperative: records.cooperatives.get(order.cooperativeId),
  })
  if (!investor || !cooperative) {
    throw new Error('An order is stored without its investor or cooperative.')
  }
  const { email: to, profile } = openInvestor(vault, investor)
  return {
    order,
    to,
    investorName: profile && fullNameOf(profile),
    cooperativeName: cooperative.name,
    cooperativeWebsite: cooperative.websiteUrl,
    sharePurchaseId,
    currency: order.currency,
  }
}

/** A salutation needs both names. */
function fullNameOf({ firstName, lastName }: Profile): string | null {
  return firstName !== null && lastName !== null ? `${firstName.trim()} ${lastName.trim()}` : null
}
