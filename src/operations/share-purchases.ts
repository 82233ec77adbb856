import { enums, type Infer, object, optional } from 'superstruct'
import { sharePurchaseStatuses } from '../domain/share-purchases/share-purchase.ts'
import type { Service } from '../usecases/service.ts'
import {
  type DecideSharePurchase,
  decideSharePurchase,
} from '../usecases/share-purchases/decide-share-purchase.ts'
import { readAnySharePurchase } from '../usecases/share-purchases/read-any-share-purchase.ts'
import { selectSharePurchases } from '../usecases/share-purchases/select-share-purchases.ts'
import { listOperation, operation } from './operation.ts'
import { limit } from './shapes/limit.ts'
import {
  renderSharePurchaseRecord,
  renderSharePurchaseRow,
} from './shapes/render-share-purchase.ts'
import { optionalText, text } from './shapes/text.ts'

const one = object({ share_purchase_id: text() })

/** `organization` is an id or an exact name. */
export const sharePurchaseOperations = {
  'purchase.list': listOperation({
    input: object({
      status: optional(enums(sharePurchaseStatuses)),
      organization: optional(text()),
      limit: optional(limit()),
    }),
    batches: async function* (service, filter) {
      for await (const purchases of selectSharePurchases(service, filter)) {
        yield purchases.map(renderSharePurchaseRow)
      }
    },
  }),
  'purchase.show': operation({
    input: one,
    run: async (service, { share_purchase_id }) =>
      renderSharePurchaseRecord(await readAnySharePurchase(service, share_purchase_id)),
  }),
  'purchase.approve': operation({ input: one, run: decide('approved') }),
  'purchase.settle': operation({ input: one, run: decide('settled') }),
  'purchase.cancel': operation({ input: one, run: decide('cancelled') }),
  'purchase.reject': operation({
    input: object({ share_purchase_id: text(), reason: optionalText() }),
    run: decide('rejected'),
  }),
}

function decide(to: DecideSharePurchase['to']) {
  return async (
    service: Service,
    {
      share_purchase_id,
      reason,
    }: Infer<typeof one> & { readonly reason?: string | null | undefined },
  ) => {
    const sharePurchaseId = share_purchase_id
    return renderSharePurchaseRow(
      await decideSharePurchase(service, { sharePurchaseId, to, reason }),
    )
  }
}
