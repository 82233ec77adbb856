import type { H3Plugin } from 'h3'
import type { Service } from '../usecases/service.ts'
import { listHoldings } from '../usecases/share-purchases/holdings.ts'
import { renderPage } from '../wire/page.ts'
import { renderHolding } from '../wire/share-purchases.ts'
import { requireScope } from './access-control.ts'
import { investorReferenceOf } from './investors.ts'
import { readPageRequest } from './query.ts'

export function holdingRoutes(service: Service): H3Plugin {
  return (app) => {
    app.get(
      '/v1/investors/:investorId/holdings',
      async (event) => {
        const page = readPageRequest(event)
        const holdings = await listHoldings(service, { ...investorReferenceOf(event), page })
        return renderPage(holdings, page, renderHolding)
      },
      { middleware: [requireScope('portfolio:read')] },
    )
  }
}
