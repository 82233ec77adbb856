import { derivedId } from '../derived-id.ts'
import { type SharePurchaseStatus, sharePurchaseStatuses } from './share-purchase.ts'

/** A draft is submitted in the step that makes it, so there is no event of it. */
export type ToldStatus = Exclude<SharePurchaseStatus, 'draft'>

/** spec: Event types. `share_purchase.` and the status that was reached. */
export type SharePurchaseEventType = `share_purchase.${ToldStatus}`

export const sharePurchaseEventTypes: readonly SharePurchaseEventType[] = sharePurchaseStatuses
  .filter((status) => status !== 'draft')
  .map((status) => `share_purchase.${status}` as const)

export function eventIdOf(sharePurchaseId: string, to: SharePurchaseStatus): string {
  return derivedId('event', sharePurchaseId, to)
}

export function toldStatusOf({ type }: { readonly type: SharePurchaseEventType }): ToldStatus {
  return type.slice('share_purchase.'.length) as ToldStatus
}
