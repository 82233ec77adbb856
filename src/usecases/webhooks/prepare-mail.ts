import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import type { DeathCause, Delivery } from '../../domain/webhooks/delivery.ts'
import { type Event, toldStatusOf } from '../../domain/webhooks/event.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import { openInvestor } from '../investors/personal-data.ts'
import type { Service } from '../service.ts'
import type { Send } from './prepare-sending.ts'

interface MailToPrepare {
  readonly delivery: Delivery
  readonly event: Event
}

/** To the investor's address of today, unless the partner or the operator has turned mails off since. */
export async function prepareMail(
  records: ReadableRecords,
  service: Service,
  { delivery, event }: MailToPrepare,
): Promise<Send | DeathCause> {
  const { organizationId, sharePurchaseId, deliveryId } = delivery
  if (!service.settings.investorMail) return 'mail_turned_off'
  const organization = await records.organizations.get(organizationId)
  if (!organization?.investorMail) return 'mail_turned_off'
  const order = await records.sharePurchases.get(organizationId, sharePurchaseId)
  const about = order && (await readPeople(records, service, order))
  if (!order || !about) throw new Error('An order is stored without its investor or cooperative.')
  const { email: to, cooperativeName } = about
  if (to === null) return 'no_mail_address'
  const { shareCount, total, currency } = order
  const status = toldStatusOf(event)
  const mail = { deliveryId, to, cooperativeName, shareCount, total, currency, status }
  return ({ signal }) => service.mailer.send(mail, signal)
}

async function readPeople(
  { investors, cooperatives }: ReadableRecords,
  { vault }: Service,
  { organizationId, investorId, cooperativeId }: SharePurchase,
) {
  const investor = await investors.get(organizationId, investorId)
  const cooperative = await cooperatives.get(cooperativeId)
  if (!investor || !cooperative) return undefined
  return { email: openInvestor(vault, investor).email, cooperativeName: cooperative.name }
}
