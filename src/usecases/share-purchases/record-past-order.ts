import type { Cooperative } from '../../domain/cooperatives/cooperative.ts'
import { electronicForm } from '../../domain/investors/iban.ts'
import type { Investor } from '../../domain/investors/investor.ts'
import type { FieldErrors } from '../../domain/problem.ts'
import { type FrozenOrder, frozenOrderFaults } from '../../domain/share-purchases/frozen-order.ts'
import { excessFaults } from '../../domain/share-purchases/position-faults.ts'
import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import type { Records } from '../../ports/store.ts'
import { requireSound } from '../require-sound.ts'
import type { Service } from '../service.ts'
import { createSharePurchase } from './create-share-purchase.ts'
import { findOrOpenHolding } from './find-or-open-holding.ts'
import { recordTransition } from './record-transition.ts'

export interface RecordPastOrder {
  readonly sharePurchaseId: string
  readonly investor: Pick<Investor, 'organizationId' | 'investorId'>
  readonly cooperative: Pick<Cooperative, 'id'>
  readonly order: FrozenOrder
}

/** What was placed in time stays as it was: the rules of placing an order are not asked again. */
export async function recordPastOrderIn(
  records: Records,
  service: Service,
  input: RecordPastOrder,
): Promise<void> {
  const now = service.clock.now()
  const holding = await findOrOpenHolding(records, service, { ...input, now })
  requireSound({
    ...frozenOrderFaults(input.order, now),
    ...excessFaults(input.order, holding),
    ...(await carrierFaults(records, input)),
  })
  const order = inElectronicForm(input.order)
  const sharePurchase = createSharePurchase(service, { ...input, order, now })
  await recordTransition(records, service, sharePurchase, holding)
}

async function carrierFaults(
  { sharePurchases }: Records,
  { investor, cooperative, order: { restsOn = [] } }: RecordPastOrder,
): Promise<FieldErrors> {
  const { organizationId, investorId } = investor
  const found = await Promise.all(restsOn.map((id) => sharePurchases.get(organizationId, id)))
  const isCarrier = (order: SharePurchase | undefined) =>
    order?.investorId === investorId && order.cooperativeId === cooperative.id
  const fault =
    'must name share purchases of the same investor and cooperative that come before this one'
  return found.every(isCarrier) ? {} : { rests_on: fault }
}

function inElectronicForm({ sepaMandate, ...order }: FrozenOrder): FrozenOrder {
  const debtorIban = electronicForm(sepaMandate.debtorIban)
  return { ...order, sepaMandate: { ...sepaMandate, debtorIban } }
}
