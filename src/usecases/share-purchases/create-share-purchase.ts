import type { Cooperative } from '../../domain/cooperatives/cooperative.ts'
import { maskIban } from '../../domain/investors/iban.ts'
import type { Investor } from '../../domain/investors/investor.ts'
import { currency } from '../../domain/money.ts'
import type { FrozenOrder } from '../../domain/share-purchases/frozen-order.ts'
import type { SepaMandate, SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import type { Vault } from '../../ports/vault.ts'
import type { Service } from '../service.ts'

export interface CreateSharePurchase {
  readonly sharePurchaseId: string
  readonly investor: Pick<Investor, 'organizationId' | 'investorId'>
  readonly cooperative: Pick<Cooperative, 'id'>
  readonly order: FrozenOrder
  readonly now: Timestamp
}

/** An order that begins as submitted, with what is frozen of it; not stored yet. */
export function createSharePurchase(
  { vault }: Service,
  { sharePurchaseId, investor, cooperative, order, now }: CreateSharePurchase,
): SharePurchase {
  const { organizationId, investorId } = investor
  return {
    ...order,
    sharePurchaseId,
    organizationId,
    investorId,
    cooperativeId: cooperative.id,
    status: 'submitted',
    currency,
    sepaMandate: sealMandate(vault, order.sepaMandate),
    reason: null,
    transitions: [{ to: 'submitted', at: now }],
    createdAt: now,
    updatedAt: now,
  }
}

function sealMandate(
  vault: Vault,
  { debtorIban, ...mandate }: FrozenOrder['sepaMandate'],
): SepaMandate {
  return {
    ...mandate,
    sealedDebtorIban: vault.seal(debtorIban),
    debtorIbanMasked: maskIban(debtorIban),
  }
}
