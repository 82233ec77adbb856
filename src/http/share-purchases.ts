import { getRouterParam, type H3Event, type H3Plugin } from 'h3'
import { Problem } from '../domain/problem.ts'
import { readSent } from '../domain/sent.ts'
import type { Service } from '../usecases/service.ts'
import { cancelSharePurchase } from '../usecases/share-purchases/change-status.ts'
import { placeSharePurchase } from '../usecases/share-purchases/place-share-purchase.ts'
import {
  listSharePurchases,
  readSharePurchase,
} from '../usecases/share-purchases/read-share-purchases.ts'
import { renderPage } from '../wire/page.ts'
import {
  readPartialSharePurchase,
  readSharePurchaseRequest,
  renderSharePurchase,
  sharePurchaseShape,
} from '../wire/share-purchases.ts'
import { actingFor, requireScope } from './access-control.ts'
import { investorReferenceOf } from './investors.ts'
import { readPageRequest } from './query.ts'
import { readNoBody, readShape } from './read-body.ts'
import { isRepeated } from './repeated-headers.ts'

const collection = '/v1/investors/:investorId/share-purchases'
const single = `${collection}/:purchaseId`

export function sharePurchaseRoutes(service: Service): H3Plugin {
  return (app) => {
    app.post(
      collection,
      async (event) => {
        const body = await readShape(event, sharePurchaseShape)
        const { sharePurchase, isReplay } = await placeSharePurchase(actingFor(service, event), {
          request: readSent(body, readSharePurchaseRequest, readPartialSharePurchase),
          idempotencyKey: idempotencyKeyOf(event),
          ...investorReferenceOf(event),
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
          page,
          ...investorReferenceOf(event),
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
        return renderSharePurchase(
          await cancelSharePurchase(actingFor(service, event), ownedOf(event)),
        )
      },
      { middleware: [requireScope('applications:write')] },
    )
  }
}

function ownedOf(event: H3Event) {
  return {
    sharePurchaseId: getRouterParam(event, 'purchaseId') ?? '',
    ...investorReferenceOf(event),
  }
}

function idempotencyKeyOf(event: H3Event) {
  const key = event.req.headers.get('idempotency-key')
  if (isRepeated(event.req, 'idempotency-key')) {
    throw new Problem('VALIDATION_ERROR', 'Send the header Idempotency-Key only once.')
  }
  return key ?? undefined
}
