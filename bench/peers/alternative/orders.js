// The routes of orders and holdings.
import { isValidIBAN } from 'ibantools'
import { HoldingAnswer, OrderAnswer, pageOf } from './answers.js'
import { isUuid } from './ids.js'
import { investorNotFound, requireInvestor } from './investors.js'
import { renderOrder } from './order-rules.js'
import { readPage, renderPage } from './pages.js'
import { Problem, refuseFields, schemaProblem } from './problems.js'
import { isInFuture, toElectronicFormat } from './profile.js'
import { Order } from './schemas.js'

const base = '/v1/investors/:investorId/share-purchases'

export async function orders(app, { store }) {
  const write = { config: { scopes: ['applications:write'] } }
  const read = { config: { scopes: ['applications:read'] } }
  const one = { response: { '2xx': OrderAnswer } }

  app.post(
    base,
    { ...write, schema: { body: Order, ...one }, attachValidation: true },
    async (request, reply) => {
      const { caller, params, headers, body } = request
      await refuseInvalid(store, request)
      const { order, isReplay } = await store.placeOrder({
        organizationId: caller.organizationId,
        investorId: params.investorId,
        key: headers['idempotency-key'],
        request: body,
      })
      if (isReplay) reply.header('idempotent-replayed', 'true')
      return reply.code(201).send(renderOrder(order))
    },
  )

  app.get(
    base,
    { ...read, schema: { response: { 200: pageOf(OrderAnswer) } } },
    async ({ caller, params, query }) => {
      const page = readPage(query)
      const { items, total } = await listOf(store.listOrders, { caller, params, page })
      return renderPage({ items: items.map(renderOrder), total }, page)
    },
  )

  app.get(`${base}/:purchaseId`, { ...read, schema: one }, async ({ caller, params }) =>
    renderOrder(await requireFound(store.findOrder, { caller, params })),
  )

  app.post(`${base}/:purchaseId/cancel`, { ...write, schema: one }, async ({ caller, params }) =>
    renderOrder(await requireFound(store.cancelOrder, { caller, params })),
  )

  app.get(
    '/v1/investors/:investorId/holdings',
    {
      config: { scopes: ['portfolio:read'] },
      schema: { response: { 200: pageOf(HoldingAnswer) } },
    },
    async ({ caller, params, query }) => {
      const page = readPage(query)
      return renderPage(await listOf(store.listHoldings, { caller, params, page }), page)
    },
  )
}

/** An investor of another organization is not found, whatever else is wrong. */
async function refuseInvalid(store, { caller, params, body, validationError }) {
  const problem = validationError && schemaProblem(validationError)
  if (problem?.code === 'MALFORMED_REQUEST_BODY') throw problem
  if (!isUuid(params.investorId)) throw investorNotFound()
  const errors = problem ? {} : orderErrors(body)
  if (!problem && Object.keys(errors).length === 0) return
  await requireInvestor(store, caller, params)
  if (problem) throw problem
  refuseFields(errors)
}

function orderErrors({ sepa_mandate: { signed_at, debtor_iban }, statute_consent_given_at }) {
  const errors = {}
  if (isInFuture(signed_at)) errors['sepa_mandate.signed_at'] = 'must not be in the future'
  if (debtor_iban && !isValidIBAN(toElectronicFormat(debtor_iban))) {
    errors['sepa_mandate.debtor_iban'] = 'must be an IBAN'
  }
  if (isInFuture(statute_consent_given_at)) {
    errors.statute_consent_given_at = 'must not be in the future'
  }
  return errors
}

async function listOf(list, { caller: { organizationId }, params: { investorId }, page }) {
  const listed = isUuid(investorId) && (await list({ organizationId, investorId, ...page }))
  if (!listed) throw investorNotFound()
  return listed
}

async function requireFound(find, { caller: { organizationId }, params }) {
  const { investorId, purchaseId } = params
  const order =
    isUuid(investorId) &&
    isUuid(purchaseId) &&
    (await find({ organizationId, investorId, purchaseId }))
  if (order) return order
  throw new Problem('SHARE_PURCHASE_NOT_FOUND', "None of this investor's orders has this id.")
}
