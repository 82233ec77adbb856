import type { Day } from '../../domain/payments/bank-days.ts'
import type { DirectDebit } from '../../domain/payments/debit-collection.ts'
import { deriveDeliveryId } from '../../domain/webhooks/delivery.ts'
import { announcedType, deriveAnnouncementId, type NewEvent } from '../../domain/webhooks/event.ts'
import type { Service } from '../service.ts'

/** The event that sends the investor an e-mail before the direct debit is collected. It contains no account number. */
export function announcementOf(
  { renderEvent }: Pick<Service, 'renderEvent'>,
  debit: DirectDebit,
  dueDate: Day,
): NewEvent {
  const { sharePurchaseId, organizationId, collectionId, endToEndId, createdAt } = debit
  const { investorId, cooperativeId, amount, mandateReference } = debit
  const ids = { sharePurchaseId, investorId, cooperativeId, collectionId, endToEndId }
  const id = deriveAnnouncementId(endToEndId)
  const data = { ...ids, mandateReference, amount, dueDate }
  return {
    eventId: id,
    organizationId,
    topic: 'payment',
    orderingKey: sharePurchaseId,
    type: announcedType,
    body: renderEvent({ id, type: announcedType, createdAt, data }),
    createdAt,
  }
}

/** The id of the e-mail that announces a direct debit. */
export function announcingMailOf(endToEndId: string): string {
  return deriveDeliveryId(deriveAnnouncementId(endToEndId), { kind: 'mail' })
}
