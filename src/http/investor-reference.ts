import { getRouterParam, type H3Event } from 'h3'
import type { InvestorReference } from '../usecases/investors/read-investor.ts'
import { authenticationOf } from './context.ts'

/** The investor of the path, as one of the organisation that asks. */
export function investorReferenceOf(event: H3Event): InvestorReference {
  const { organizationId } = authenticationOf(event)
  return { organizationId, investorId: getRouterParam(event, 'investorId') ?? '' }
}
