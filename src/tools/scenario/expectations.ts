import { setTimeout as pause } from 'node:timers/promises'
import { parseDuration } from '../../domain/timestamp.ts'
import { type Amount, readSum } from '../../wire/fields.ts'
import {
  findClient,
  findCooperative,
  findEvent,
  findNamedInvestor,
  orderIdOf,
  type ScenarioContext,
} from './context.ts'
import { listExchanges, requireSame } from './exchanges.ts'
import {
  type Expectation,
  type ExpectationKind,
  type Expected,
  kindOf,
} from './expectation-shapes.ts'
import { Mismatch, requireEqual } from './mismatch.ts'
import { ask, requireAnswer, requireUrl } from './partner-steps.ts'
import { capture, valueAt } from './variables.ts'

type Check<Kind extends ExpectationKind> = (
  context: ScenarioContext,
  expected: Expected<Kind>,
) => Promise<void>

const checks: { readonly [Kind in ExpectationKind]: Check<Kind> } = {
  order: expectOrder,
  holdings: expectHoldings,
  event: expectEvent,
  deliveries: expectDeliveries,
  journal: expectJournal,
  app: expectApp,
}

export async function expect(context: ScenarioContext, expected: Expectation): Promise<void> {
  const kind = kindOf(expected)
  if (kind === undefined)
    throw new Error('An expectation has no known key, although its shape was checked.')
  await (checks[kind] as Check<never>)(context, expected as never)
}

async function expectOrder(context: ScenarioContext, expected: Expected<'order'>): Promise<void> {
  const share_purchase_id = orderIdOf(context, expected.order)
  const order = await context.service.operator.call('purchase.show', { share_purchase_id })
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['status', expected.status, order.status],
    ['total', amountOf(expected.total), order.total],
    ['number of shares', expected.shares, order.share_count],
    ['price', amountOf(expected.price), order.price_per_share],
    ['entry fee', amountOf(expected.fee), order.entry_fee],
    ['reason', expected.reason, order.reason],
  ]
  for (const [what, wanted, actual] of pairs) {
    requireEqual(`The ${what} of the order ${expected.order}`, wanted, actual)
  }
}

function amountOf(amount: Amount | undefined): string | undefined {
  return amount === undefined ? undefined : readSum(amount)
}

async function expectHoldings(
  context: ScenarioContext,
  expected: Expected<'holdings'>,
): Promise<void> {
  const partnerCustomerRef = expected.holdings
  const { organizationId } = await findClient(context, expected.client)
  const { investorId } = await findNamedInvestor(context, organizationId, partnerCustomerRef)
  const { cooperative } = expected
  const wanted = cooperative === undefined ? undefined : await findCooperative(context, cooperative)
  const { operator } = context.service
  const { holdings } = await operator.call('investor.show', { investor_id: investorId })
  const counted = holdings.filter(({ cooperative_id }) => !wanted || cooperative_id === wanted.id)
  const shares = counted.reduce((sum, holding) => sum + holding.shares, 0)
  const pending = counted.reduce((sum, holding) => sum + holding.pending_shares, 0)
  const whose = `shares of ${partnerCustomerRef}`
  requireEqual(`The number of ${whose}`, expected.shares, shares)
  requireEqual(`The number of pending ${whose}`, expected.pending, pending)
}

async function expectEvent(context: ScenarioContext, expected: Expected<'event'>): Promise<void> {
  const { event: type, of, state, attempts } = expected
  const found = await findEvent(context, type, of)
  requireEqual(`The state of ${type} of ${of}`, state, found.state)
  requireEqual(`The number of attempts to deliver ${type} of ${of}`, attempts, found.attempts)
}

async function expectDeliveries(
  context: ScenarioContext,
  expected: Expected<'deliveries'>,
): Promise<void> {
  const { deliveries: type, of, count, statuses } = expected
  const orderId = of === undefined ? undefined : orderIdOf(context, of)
  const all = await listExchanges(context, { operation: 'delivery' })
  const found = all
    .map((exchange) => {
      const event: unknown = JSON.parse(exchange.body)
      const orderId = valueAt(event, 'data.share_purchase_id')
      return { exchange, type: valueAt(event, 'type'), orderId }
    })
    .filter(
      (event) =>
        (type === 'all' || event.type === type) &&
        (orderId === undefined || event.orderId === orderId),
    )
  requireEqual('The number of attempts', count, found.length)
  requireEqual(
    'The list of statuses that the receiver answered',
    statuses,
    found.map(({ exchange }) => exchange.status ?? 0),
  )
}

async function expectJournal(
  context: ScenarioContext,
  expected: Expected<'journal'>,
): Promise<void> {
  const { journal: operation, count, same, statuses, contract } = expected
  const exchanges = await listExchanges(context, { operation })
  const what = `requests of ${operation}`
  requireEqual(`The number of ${what}`, count, exchanges.length)
  requireSame(exchanges, same)
  requireEqual(
    `The list of statuses of ${what}`,
    statuses,
    exchanges.map(({ status }) => status ?? 0),
  )
  if (contract === undefined) return
  const other = exchanges.find((exchange) => exchange.contract.verdict !== contract)
  if (!other) return
  throw new Mismatch(`One of the ${what} has another verdict.`, {
    expected: contract,
    actual: other.contract,
  })
}

const betweenAnswersMs = 50

async function expectApp(context: ScenarioContext, expected: Expected<'app'>): Promise<void> {
  const { app: url, method = 'GET', headers, status, json, within } = expected
  requireUrl(url)
  const question = { url, method: method.toUpperCase(), headers }
  const untilMs = performance.now() + (parseDuration(within ?? '0s') ?? 0)
  for (;;) {
    try {
      const answer = await ask(question)
      requireAnswer(question, answer, { status, json })
      return capture(expected.capture, answer.body, context.variables)
    } catch (error) {
      if (!(error instanceof Mismatch) || performance.now() >= untilMs) throw error
    }
    await pause(betweenAnswersMs)
  }
}
