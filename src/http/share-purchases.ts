import { getRouterParam, type H3Event, type H3Plugin } from 'h3'
import type { Service } from '../usecases/service.ts'
import { cancelSharePurchase } from '../usecases/share-purchases/cancel-share-purchase.ts'
import { findSharePurchaseFaults } from '../usecases/share-purchases/find-share-purchase-faults.ts'
import { listSharePurchases } from '../usecases/share-purchases/list-share-purchases.ts'
import { placeSharePurchase } from '../usecases/share-purchases/place-share-purchase.ts'
import { readSharePurchase } from '../usecases/share-purchases/read-share-purchase.ts'
import { authenticationOf } from './context.ts'
import { investorReferenceOf } from './investor-reference.ts'
import { requireScope } from './middleware/require-scope.ts'
import { readPageRequest } from './query.ts'
import { readNoBody } from './read-no-body.ts'
import { readShape } from './read-shape.ts'
import { renderPage } from './render-page.ts'
import {
  readSharePurchaseParts,
  readSharePurchaseRequest,
  renderSharePurchase,
  sharePurchaseShape,
} from './shapes/share-purchases.ts'

const collection = '/v1/investors/:investorId/share-purchases'
const single = `${collection}/:purchaseId`

export function sharePurchaseRoutes(service: Service): H3Plugin {
  return (app) => {
    app.post(
      collection,
      async (event) => {
        const owner = investorReferenceOf(event)
        const body = await readShape(event, sharePurchaseShape, {
          findFaults: (parts) =>
            findSharePurchaseFaults(service, { ...owner, request: readSharePurchaseParts(parts) }),
        })
        const { sharePurchase, isReplay } = await placeSharePurchase(service, {
          ...owner,
          request: readSharePurchaseRequest(body),
          idempotencyKey: idempotencyKeyOf(event),
        })
        event.res.status = 201
        if (isReplay) event.res.headers.set('idempotent-replayed', 'true')
        return renderSharePurchase(sharePurchase)
      },
      { middleware: [requireScope('applications:write')] },
    )
    app.get(
      collection,
      async (event) => {
        const page = readPageRequest(event)
        const sharePurchases = await listSharePurchases(service, {
          ...investorReferenceOf(event),
          page,
        })
        return renderPage(sharePurchases, page, renderSharePurchase)
      },
      { middleware: [requireScope('applications:read')] },
    )
    app.get(
      single,
      async (event) => renderSharePurchase(await readSharePurchase(service, ownedOf(event))),
      { middleware: [requireScope('applications:read')] },
    )
    app.post(
      `${single}/cancel`,
      async (event) => {
        await readNoBody(event)
        return renderSharePurchase(await cancelSharePurchase(service, ownedOf(event)))
      },
      { middleware: [requireScope('applications:write')] },
    )
  }
}

function ownedOf(event: H3Event) {
  return {
    ...investorReferenceOf(event),
    sharePurchaseId: getRouterParam(event, 'purchaseId') ?? '',
  }
}

function idempotencyKeyOf(event: H3Event) {
  const key = event.req.headers.get('idempotency-key')
  return key === null ? undefined : { clientId: authenticationOf(event).clientId, key }
}
