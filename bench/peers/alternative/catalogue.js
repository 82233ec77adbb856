// The routes of the catalogue, as far as a partner needs them to place orders.
import etag from '@fastify/etag'
import { CooperativeAnswer, CooperativeDetail, pageOf } from './answers.js'
import { isUuid } from './ids.js'
import { currency, fromCents, toCents } from './money.js'
import { readPage, renderPage } from './pages.js'
import { Problem, refuseParameter } from './problems.js'

const sorts = new Set([
  'created_at_desc',
  'created_at_asc',
  'name_asc',
  'name_desc',
  'share_price_asc',
  'share_price_desc',
])
const privateMinutes = 'private, max-age=300'

export async function catalogue(app, { store }) {
  await app.register(etag)

  app.get(
    '/v1/cooperatives',
    {
      config: { scopes: ['cooperatives:read'] },
      schema: { response: { 200: pageOf(CooperativeAnswer) } },
    },
    async ({ query }, reply) => {
      const { sort = 'created_at_desc' } = query
      if (!sorts.has(sort)) refuseParameter(`sort must be one of ${[...sorts].join(', ')}.`)
      if ((query.near_lat === undefined) !== (query.near_lng === undefined)) {
        refuseParameter('Send near_lat and near_lng together.', 422)
      }
      const page = readPage(query)
      const { items, total } = await store.listCooperatives({ ...page, sort })
      reply.header('cache-control', privateMinutes)
      return { ...renderPage({ items: items.map(render), total }, page), sort }
    },
  )

  app.get(
    '/v1/cooperatives/:id',
    {
      config: { scopes: ['cooperatives:read', 'projects:read'] },
      schema: { response: { 200: CooperativeDetail } },
    },
    async ({ params: { id }, query: { expand } }, reply) => {
      if (expand !== undefined && expand !== 'projects') refuseParameter('Unknown expand.', 422)
      const found = isUuid(id) && (await store.findCooperative(id))
      if (!found) throw new Problem('COOPERATIVE_NOT_FOUND', 'No cooperative has this id.')
      reply.header('cache-control', privateMinutes)
      const projects = expand ? { projects: [] } : { projects_by_type: [] }
      return { projects: null, projects_by_type: null, ...render(found), ...projects }
    },
  )
}

function render({ cooperative_id, share_price, minimum_shares, ...cooperative }) {
  const least = fromCents(toCents(share_price) * BigInt(minimum_shares))
  return {
    ...cooperative,
    id: cooperative_id,
    share_price,
    share_price_currency: currency,
    share_value_currency: currency,
    entry_fee_currency: currency,
    minimum_shares,
    min_investment_amount: least,
    min_investment_amount_currency: currency,
    hero_image_url: null,
    card_image_url: null,
    logo_image_url: null,
  }
}
