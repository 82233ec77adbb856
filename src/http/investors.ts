import { getRouterParam, type H3Event, type H3Plugin } from 'h3'
import { readSent } from '../domain/sent.ts'
import {
  findInvestor,
  type InvestorReference,
  readInvestor,
} from '../usecases/investors/investors.ts'
import { provisionInvestor } from '../usecases/investors/provision-investor.ts'
import { replaceProfile } from '../usecases/investors/replace-profile.ts'
import type { Service } from '../usecases/service.ts'
import { listHoldings } from '../usecases/share-purchases/holdings.ts'
import {
  profileShape,
  provisionShape,
  readPartialProfile,
  readPartialProvision,
  readProfile,
  readProvision,
  renderInvestor,
  renderProfile,
} from '../wire/investors.ts'
import { renderPage } from '../wire/page.ts'
import { renderHolding } from '../wire/share-purchases.ts'
import { actingFor, authenticationOf, requireScope } from './access-control.ts'
import { readPageRequest, requireParameter } from './query.ts'
import { readShape } from './read-body.ts'

const notWrapped = 'The body of this request is the profile itself. Do not wrap it in "profile".'

export function investorRoutes(service: Service): H3Plugin {
  return (app) => {
    app.post(
      '/v1/investors',
      async (event) => {
        const { organizationId } = authenticationOf(event)
        const body = await readShape(event, provisionShape)
        const request = readSent(
          body,
          (whole) => ({ organizationId, ...readProvision(whole) }),
          readPartialProvision,
        )
        const { investor, isNew } = await provisionInvestor(actingFor(service, event), request)
        event.res.status = isNew ? 201 : 200
        return renderInvestor(investor)
      },
      { middleware: [requireScope('investors:write')] },
    )
    app.get(
      '/v1/investors',
      async (event) => {
        const { organizationId } = authenticationOf(event)
        const partnerCustomerRef = requireParameter(event, 'partner_customer_ref')
        return renderInvestor(await findInvestor(service, { organizationId, partnerCustomerRef }))
      },
      { middleware: [requireScope('investors:read')] },
    )
    app.get(
      '/v1/investors/:investorId',
      async (event) => renderInvestor(await readInvestor(service, investorReferenceOf(event))),
      { middleware: [requireScope('investors:read')] },
    )
    app.put(
      '/v1/investors/:investorId/profile',
      async (event) => {
        const body = await readShape(event, profileShape, {
          prefix: 'profile',
          hints: { profile: notWrapped },
        })
        const investor = await replaceProfile(actingFor(service, event), {
          profile: readSent(body, readProfile, readPartialProfile),
          ...investorReferenceOf(event),
        })
        return renderProfile(investor)
      },
      { middleware: [requireScope('investors:write')] },
    )
    app.get(
      '/v1/investors/:investorId/holdings',
      async (event) => {
        const page = readPageRequest(event)
        const holdings = await listHoldings(service, { page, ...investorReferenceOf(event) })
        return renderPage(holdings, page, renderHolding)
      },
      { middleware: [requireScope('portfolio:read')] },
    )
  }
}

/** The investor in the path, within the organization that asks. */
export function investorReferenceOf(event: H3Event): InvestorReference {
  const { organizationId } = authenticationOf(event)
  return { organizationId, investorId: getRouterParam(event, 'investorId') ?? '' }
}
