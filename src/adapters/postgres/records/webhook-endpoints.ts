import type { Records } from '../../../ports/store.ts'
import type { Session } from '../session.ts'
import { webhookEndpointTable as endpoints } from '../tables/webhooks.ts'

type EndpointRow = Parameters<typeof endpoints.build>[0]

const select = `select ${endpoints.selected} from webhook_endpoints t`
const byId = `${select} where t.webhook_endpoint_id = $1`
const inOrder = `${select} order by t.sequence`
const byOrganization = `${select} where t.organization_id = $1 order by t.sequence`
const remove = 'delete from webhook_endpoints where webhook_endpoint_id = $1'

export function webhookEndpointsOf(session: Session): Records['webhookEndpoints'] {
  const look = (text: string, values: readonly string[]) =>
    session.remember<EndpointRow>({ table: 'webhook_endpoints', text, values, isCounted: true })
  return {
    get: async (id) => endpoints.one(await look(byId, [id])),
    list: async () => endpoints.all(await look(inOrder, [])),
    listByOrganization: async (organizationId) =>
      endpoints.all(await look(byOrganization, [organizationId])),
    put: async (record) => {
      await session.requireUnchanged('webhook_endpoints')
      await endpoints.put(session, record, true)
    },
    remove: async (id) => {
      await session.requireUnchanged('webhook_endpoints')
      await session.change('webhook_endpoints', { text: remove, values: [id] })
    },
  }
}
