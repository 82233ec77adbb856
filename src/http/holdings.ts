import type { H3Plugin } from 'h3'
import { listHoldings } from '../usecases/holdings/list-holdings.ts'
import type { Service } from '../usecases/service.ts'
import { investorReferenceOf } from './investor-reference.ts'
import { requireScope } from './middleware/require-scope.ts'
import { readPageRequest } from './query.ts'
import { renderPage } from './render-page.ts'
import { renderHolding } from './shapes/holdings.ts'

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
