import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import { toldStatusOf } from '../../domain/share-purchases/share-purchase-event.ts'
import type { DeathCause, Delivery } from '../../domain/webhooks/delivery.ts'
import type { Event, Topic } from '../../domain/webhooks/event.ts'
import type { InvestorMail } from '../../ports/mailer.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import { openInvestor } from '../investors/personal-data.ts'
import type { Service } from '../service.ts'
import type { Send } from './prepare-sending.ts'

interface MailToPrepare {
  readonly delivery: Delivery
  readonly event: Event
}

type Composed = Omit<InvestorMail, 'deliveryId' | 'to'> & { readonly to: string | null }

type Compose = (
  records: ReadableRecords,
  service: Pick<Service, 'vault'>,
  event: Event,
) => Promise<Composed>

/** What is in a mail depends on what the event is about. */
const composers: Readonly<Record<Topic, Compose>> = { share_purchase: composeOfSharePurchase }

/** To the investor's address of today, unless the partner or the operator has turned mails off since. */
export async function prepareMail(
  records: ReadableRecords,
  service: Service,
  { delivery: { deliveryId }, event }: MailToPrepare,
): Promise<Send | DeathCause> {
  if (!service.settings.investorMail) return 'mail_turned_off'
  const [organization, { to, ...content }] = await Promise.all([
    records.organizations.get(event.organizationId),
    composers[event.topic](records, service, event),
  ])
  if (!organization?.investorMail) return 'mail_turned_off'
  if (to === null) return 'no_mail_address'
  return ({ signal }) => service.mailer.send({ deliveryId, to, ...content }, signal)
}

async function composeOfSharePurchase(
  records: ReadableRecords,
  { vault }: Pick<Service, 'vault'>,
  event: Event,
): Promise<Composed> {
  const { organizationId, orderingKey: sharePurchaseId } = event
  const order = await records.sharePurchases.get(organizationId, sharePurchaseId)
  if (!order) throw new Error('An event is stored without its order.')
  const { investor, cooperative } = await readPeople(records, order)
  if (!investor || !cooperative) {
    throw new Error('An order is stored without its investor or cooperative.')
  }
  const { shareCount, total, currency } = order
  return {
    to: openInvestor(vault, investor).email,
    cooperativeName: cooperative.name,
    ...{ shareCount, total, currency, status: toldStatusOf(event) },
  }
}

async function readPeople(
  { investors, cooperatives }: ReadableRecords,
  { organizationId, investorId, cooperativeId }: SharePurchase,
) {
  const [investor, cooperative] = await Promise.all([
    investors.get(organizationId, investorId),
    cooperatives.get(cooperativeId),
  ])
  return { investor, cooperative }
}
