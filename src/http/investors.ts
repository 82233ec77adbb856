import type { H3Plugin } from 'h3'
import { profileShape, readProfile, readProfileParts } from '../operations/shapes/profile.ts'
import { findInvestor } from '../usecases/investors/find-investor.ts'
import { provisionInvestor } from '../usecases/investors/provision-investor.ts'
import { provisionFaults } from '../usecases/investors/provision-request.ts'
import { readInvestor } from '../usecases/investors/read-investor.ts'
import { findProfileFaults, replaceProfile } from '../usecases/investors/replace-profile.ts'
import type { Service } from '../usecases/service.ts'
import { authenticationOf } from './context.ts'
import { investorReferenceOf } from './investor-reference.ts'
import { requireScope } from './middleware/require-scope.ts'
import { requireParameter } from './query.ts'
import { readShape } from './read-shape.ts'
import {
  provisionShape,
  readProvision,
  readProvisionParts,
  renderInvestor,
  renderProfile,
} from './shapes/investors.ts'

const notWrapped = 'The body of this request is the profile itself, without the wrapper "profile".'

export function investorRoutes(service: Service): H3Plugin {
  return (app) => {
    app.post(
      '/v1/investors',
      async (event) => {
        const body = await readShape(event, provisionShape, {
          findFaults: async (parts) =>
            provisionFaults(readProvisionParts(parts), service.clock.now()),
        })
        const { organizationId } = authenticationOf(event)
        const request = { organizationId, ...readProvision(body) }
        const { investor, isNew } = await provisionInvestor(service, request)
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
        const reference = investorReferenceOf(event)
        const body = await readShape(event, profileShape, {
          prefix: 'profile',
          hints: { profile: notWrapped },
          findFaults: (parts) =>
            findProfileFaults(service, { ...reference, profile: readProfileParts(parts) }),
        })
        const profile = readProfile(body)
        return renderProfile(await replaceProfile(service, { ...reference, profile }))
      },
      { middleware: [requireScope('investors:write')] },
    )
  }
}
