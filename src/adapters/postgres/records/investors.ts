import type { ListPage, Records } from '../../../ports/store.ts'
import type { Question, Session } from '../session.ts'
import { holdingTable as holdings, investorTable as investors } from '../tables/investors.ts'
import { pageOf } from './page.ts'

type InvestorRow = Parameters<typeof investors.build>[0]
type HoldingRow = Parameters<typeof holdings.build>[0]

const select = `select ${investors.selected} from investors t`
const byId = `${select} where t.organization_id = $1 and t.investor_id = $2`
const byReference = `${select} where t.organization_id = $1 and t.partner_customer_ref = $2`
const byOrganization = `${select} where t.organization_id = $1`
const placeOf =
  'select p.sequence from investors p where p.organization_id = $1 and p.investor_id ='
const lockingById = `${byId} for no key update`
const lockingByReference = `${byReference} for no key update`

export function investorsOf(session: Session): Records['investors'] {
  const look = (question: Omit<Question, 'table'>) =>
    session.remember<InvestorRow>({ ...question, table: 'investors' })
  return {
    get: async (organizationId, id) =>
      investors.one(
        await look({
          text: byId,
          lockingText: lockingById,
          values: [organizationId, id],
          locksInvestor: id,
        }),
      ),
    findByPartnerCustomerRef: async (organizationId, reference) => {
      const rows = await look({
        text: byReference,
        lockingText: lockingByReference,
        values: [organizationId, reference],
      })
      session.noteLocked(rows)
      if (rows.length === 0) session.noteAbsent('investors_ref')
      return investors.one(rows)
    },
    listByOrganization: async (organizationId, page) =>
      investors.all(await listInvestors(session, organizationId, page)),
    put: async (record) => void (await investors.put(session, record, true)),
  }
}

function listInvestors(
  session: Session,
  organizationId: string,
  { after, limit }: ListPage = {},
): Promise<readonly InvestorRow[]> {
  const values: (string | number)[] = [organizationId]
  const from = after === undefined ? '' : `and t.sequence > (${placeOf} $${values.push(after)})`
  const atMost = limit === undefined ? '' : `limit $${values.push(limit)}::bigint`
  const text = `${byOrganization} ${from} order by t.sequence ${atMost}`
  return session.ask<InvestorRow>(text, values)
}

const selectHolding = `select ${holdings.selected} from holdings t`
const position = `${selectHolding}
  where t.organization_id = $1 and t.investor_id = $2 and t.cooperative_id = $3`
// The third parameter is of the question that the lock is for.
const lockInvestor = `select investor_id as "investorId" from investors
  where organization_id = $1 and investor_id = $2 and $3::text is not null for no key update`
const ofInvestor =
  'from holdings t where t.organization_id = $1 and t.investor_id = $2 and t.shares + t.pending_shares > 0'

export function holdingsOf(session: Session): Records['holdings'] {
  return {
    find: async (organizationId, investorId, cooperativeId) =>
      holdings.one(
        await session.underInvestor<HoldingRow>({
          table: 'holdings',
          lockInvestors: lockInvestor,
          text: position,
          values: [organizationId, investorId, cooperativeId],
          investorId,
        }),
      ),
    pageByInvestor: (organizationId, investorId, page) =>
      pageOf(session, page, {
        selected: holdings.selected,
        from: ofInvestor,
        order: 't.sequence',
        values: [organizationId, investorId],
        build: holdings.build,
      }),
    put: async (record) => void (await holdings.put(session, record)),
  }
}
