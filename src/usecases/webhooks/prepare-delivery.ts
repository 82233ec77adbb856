import type { Profile } from '../../domain/investors/profile.ts'
import type { DeadReason, Delivery, SendOutcome } from '../../domain/webhooks/delivery.ts'
import {
  type Event,
  sharePurchaseIdOf,
  statusOfEvent,
  type Topic,
} from '../../domain/webhooks/event.ts'
import type { InvestorMail } from '../../ports/mailer.ts'
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

type Composed = Omit<InvestorMail, 'deliveryId' | 'organizationName' | 'to'> & {
  readonly to: string | null
}

type Compose = (
  records: ReadableRecords,
  service: Pick<Service, 'vault'>,
  event: Event,
) => Promise<Composed>

/** The content of an e-mail depends on the topic of the event. */
const composers: Readonly<Record<Topic, Compose>> = { share_purchase: composeSharePurchaseMail }

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
  const [organization, { to, ...content }] = await Promise.all([
    records.organizations.get(event.organizationId),
    composers[event.topic](records, service, event),
  ])
  if (!organization?.investorMail) return 'mail_turned_off'
  if (to === null) return 'no_mail_address'
  const mail = { deliveryId, to, organizationName: organization.name, ...content }
  return ({ signal }) => service.mailer.send(mail, signal)
}

async function composeSharePurchaseMail(
  records: ReadableRecords,
  { vault }: Pick<Service, 'vault'>,
  event: Event,
): Promise<Composed> {
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
  const { shareCount, total, currency } = order
  const status = statusOfEvent(event)
  return {
    to,
    investorName: profile && fullNameOf(profile),
    cooperativeName: cooperative.name,
    cooperativeWebsite: cooperative.websiteUrl,
    sharePurchaseId,
    shareCount,
    total,
    currency,
    status,
    // A late e-mail reports the status at that time, not how the order has ended since.
    reason: status === 'rejected' ? order.reason : null,
  }
}

/** A salutation needs both names. */
function fullNameOf({ firstName, lastName }: Profile): string | null {
  return firstName !== null && lastName !== null ? `${firstName.trim()} ${lastName.trim()}` : null
}
