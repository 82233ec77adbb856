import t from 'tap'
import { createMarket, type Market, placeAccepted } from '../../fixtures/world/market.ts'
import type { ActingOperator } from '../../src/domain/operators/operator.ts'
import { runAs } from '../../src/operations/run-audited.ts'

const maria = { operatorId: 'op-1', name: 'maria', role: 'operator' } as const
const oskar = { operatorId: 'op-2', name: 'oskar', role: 'operator' } as const

async function createGuarded(): Promise<Market> {
  return createMarket({}, { settings: { fourEyes: ['settled', 'rejected'] } })
}

// biome-ignore lint/suspicious/noExplicitAny: the answer is JSON, and the assertions look into it.
type Run = (operator: ActingOperator, name: string, more?: object) => Promise<any>

/** Makes an approved order, with a function by which operators decide on it. */
async function approved(): Promise<{ readonly market: Market; readonly id: string; run: Run }> {
  const market = await createGuarded()
  const id = await placeAccepted(market)
  const run: Run = (operator, name, more = {}) =>
    runAs(
      market.world.service,
      { operator, via: 'command', requestId: 'request-1' },
      `purchase.${name}`,
      { share_purchase_id: id, ...more },
    )
  await run(maria, 'approve')
  return { market, id, run }
}

t.test('a second operator confirms a decision that the first operator has proposed', async (t) => {
  const { market, id, run } = await approved()
  const before = await run(maria, 'show')
  t.match(await run(maria, 'settle'), {
    share_purchase_id: id,
    status: 'approved',
    updated_at: before.updated_at,
    proposal: { decision: 'settle', reason: null, operator: 'maria' },
  })
  t.match(await run(oskar, 'show'), { proposal: { operator: 'maria' } })
  t.match(
    await run(oskar, 'settle'),
    { proposal: { operator: 'maria' } },
    'the decision is proposed once',
  )
  await t.rejects(run(maria, 'confirm'), {
    code: 'FORBIDDEN',
    message: 'maria has proposed this decision, so another operator has to confirm it.',
  })
  t.match(await run(oskar, 'confirm'), { status: 'settled', proposal: null })
  await t.rejects(run(oskar, 'confirm'), { code: 'SHARE_PURCHASE_ILLEGAL_STATE' })
  const path = `/v1/investors/${market.investorId}/share-purchases/${id}`
  const { body } = await market.world.request('GET', path, { token: market.world.partner.token })
  t.equal(body.status, 'settled')
  t.notOk('proposal' in body)
})

t.test('a rejection keeps the proposed reason', async (t) => {
  const { run } = await approved()
  await run(maria, 'reject', { reason: 'The mandate was returned.' })
  t.match(await run(oskar, 'confirm'), {
    status: 'rejected',
    reason: 'The mandate was returned.',
  })
})

t.test('the same decision with another reason replaces the proposal', async (t) => {
  const { run } = await approved()
  await run(maria, 'reject', { reason: 'The mandat was returned.' })
  const corrected = { reason: 'The mandate was returned.' }
  t.match(await run(maria, 'reject', corrected), { proposal: corrected })
  t.match(await run(oskar, 'reject'), { proposal: { operator: 'maria', ...corrected } })
  t.match(await run(oskar, 'confirm'), { status: 'rejected', ...corrected })
})

t.test('a new decision replaces a proposal, and a change of the order cancels it', async (t) => {
  const { market, run } = await approved()
  await run(maria, 'settle')
  t.match(await run(oskar, 'reject'), { proposal: { decision: 'reject', operator: 'oskar' } })
  await run(maria, 'confirm')
  await t.rejects(run(oskar, 'settle'), { code: 'SHARE_PURCHASE_ILLEGAL_STATE' })

  const other = await placeAccepted(market)
  const about = { share_purchase_id: other }
  await run(maria, 'reject', about)
  t.match(await run(oskar, 'approve', about), { status: 'approved', proposal: null })
  await t.rejects(run(oskar, 'confirm', about), /Nobody has proposed a decision/)
})

t.test('an operator confirms only the proposal that they have seen', async (t) => {
  const { market, run } = await approved()
  const { proposal: seen } = await run(maria, 'settle')
  market.world.clock.advance(1)
  const { proposal: replaced } = await run(maria, 'reject')
  await t.rejects(run(oskar, 'confirm', { proposed_at: seen.at }), {
    code: 'SHARE_PURCHASE_ILLEGAL_STATE',
    message: /has changed since you looked/,
  })
  t.match(await run(oskar, 'show'), { status: 'approved', proposal: replaced })
  t.match(await run(oskar, 'confirm', { proposed_at: replaced.at }), { status: 'rejected' })
})

t.test('the audit shows who has proposed and who has confirmed a decision', async (t) => {
  const { market, id, run } = await approved()
  await run(maria, 'settle')
  await run(oskar, 'confirm')
  const caller = { operator: maria, via: 'command', requestId: 'request-2' } as const
  const entries = await runAs(market.world.service, caller, 'audit.list', { order: id, limit: 2 })
  const [confirmed, proposed] = entries as {
    actor: { name: string }
    outcome: string
    changes: { before: object; after: object }[]
  }[]
  t.match(confirmed?.actor, { name: 'oskar' })
  t.match(confirmed?.changes[0], {
    before: { status: 'approved', proposal: 'settled' },
    after: { status: 'settled', proposal: null },
  })
  t.match(proposed?.actor, { name: 'maria' })
  t.strictSame([confirmed?.outcome, proposed?.outcome], ['done', 'proposed'])
  t.match(proposed?.changes[0], { before: { proposal: null }, after: { proposal: 'settled' } })
})
