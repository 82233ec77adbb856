import t from 'tap'
import { euro } from '../../fixtures/builders/cooperatives.ts'
import {
  collectionOf,
  createMarket,
  get,
  type Market,
  placeAccepted,
} from '../../fixtures/world/market.ts'
import type { Cooperative } from '../../src/domain/cooperatives/cooperative.ts'
import type { ActingOperator } from '../../src/domain/operators/operator.ts'
import { decideOrders, selectToDecide } from '../../src/operations/bulk/decide-orders.ts'
import { runOperation } from '../../src/operations/operations.ts'
import { runAs, serviceForOperator } from '../../src/operations/run-audited.ts'
import type { ReadableRecords } from '../../src/ports/store.ts'

const maria = { operatorId: 'op-1', name: 'maria', role: 'operator' } as const
const oskar = { operatorId: 'op-2', name: 'oskar', role: 'operator' } as const

async function createGuarded(overrides: Partial<Cooperative> = {}): Promise<Market> {
  return createMarket(overrides, { settings: { fourEyes: ['settled', 'rejected'] } })
}

// biome-ignore lint/suspicious/noExplicitAny: the answer is JSON, and the assertions look into it.
type Run = (operator: ActingOperator, name: string, more?: object) => Promise<any>

/** A function by which operators decide on an order. They confirm the proposal that they see. */
function decideOn({ world }: Market, share_purchase_id: string): Run {
  const run: Run = (operator, name, more = {}) =>
    runAs(world.service, { operator, via: 'command', requestId: 'request-1' }, `purchase.${name}`, {
      share_purchase_id,
      ...more,
    })
  return async (operator, name, more = {}) => {
    if (name !== 'confirm' || 'proposed_at' in more) return run(operator, name, more)
    const { proposal } = await run(operator, 'show', more)
    return run(operator, name, { proposed_at: proposal?.at ?? null, ...more })
  }
}

/** Makes an operator with a record, whom an administrator can disable. */
async function stored({ world }: Market, name: string): Promise<ActingOperator> {
  await runOperation(world.service, 'operator.create', { name, role: 'operator' })
  const find = ({ operators }: ReadableRecords) => operators.findByName(name)
  const operator = await world.service.store.read(find)
  if (!operator) throw new Error('The operator was not created.')
  return operator
}

/** Makes an approved order, with a function by which operators decide on it. */
async function approved(): Promise<{ readonly market: Market; readonly id: string; run: Run }> {
  const market = await createGuarded()
  const id = await placeAccepted(market)
  const run = decideOn(market, id)
  await run(maria, 'approve')
  return { market, id, run }
}

interface Related {
  readonly market: Market
  readonly first: string
  readonly second: string
  readonly run: Run
}

/** Makes an order that pays the entry fee, and an approved order that depends on it. */
async function related(): Promise<Related> {
  const market = await createGuarded({ entryFee: euro('15') })
  const first = await placeAccepted(market)
  const second = await placeAccepted(market)
  const run = decideOn(market, first)
  await run(maria, 'approve', { share_purchase_id: second })
  return { market, first, second, run }
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

for (const [title, seconds] of [
  ['an operator confirms only the proposal that they have seen', 1],
  ['the same holds if both proposals were made at the same time', 0],
  ['the same holds if the clock was set back meanwhile', -60],
] as const) {
  t.test(title, async (t) => {
    const { market, run } = await approved()
    const { proposal: seen } = await run(maria, 'reject', { reason: 'One.' })
    market.world.clock.advance(seconds)
    const { proposal: replaced } = await run(maria, 'reject', { reason: 'Two.' })
    t.ok(replaced.at > seen.at)
    await t.rejects(run(oskar, 'confirm', { proposed_at: seen.at }), {
      code: 'SHARE_PURCHASE_ILLEGAL_STATE',
      message: /is not the one that you have seen/,
    })
    t.match(await run(oskar, 'show'), { status: 'approved', proposal: replaced })
    t.match(await run(oskar, 'confirm', { proposed_at: replaced.at }), {
      status: 'rejected',
      reason: 'Two.',
    })
  })
}

t.test('an approval ends a proposal, and the next one has a later time', async (t) => {
  const market = await createGuarded()
  const run = decideOn(market, await placeAccepted(market))
  const { proposal: seen } = await run(maria, 'reject', { reason: 'One.' })
  await run(oskar, 'approve')
  await run(maria, 'reject', { reason: 'Two.' })
  await t.rejects(
    run(oskar, 'confirm', { proposed_at: seen.at }),
    /is not the one that you have seen/,
  )
})

t.test('a confirmation has to name the proposal that it confirms [D62]', async (t) => {
  const { run } = await approved()
  const nothing = { code: 'SHARE_PURCHASE_ILLEGAL_STATE', message: /^Nobody has proposed/ }
  await t.rejects(run(oskar, 'confirm', { proposed_at: null }), nothing)
  const { proposal } = await run(maria, 'settle')
  await t.rejects(run(oskar, 'confirm', { proposed_at: undefined }), {
    code: 'VALIDATION_ERROR',
    extra: { errors: { proposed_at: /^is required: send the time .+ `proposal\.at`/ } },
  })
  await t.rejects(run(oskar, 'confirm', { proposed_at: null }), {
    code: 'SHARE_PURCHASE_ILLEGAL_STATE',
    message: /is not the one that you have seen/,
  })
  t.match(await run(oskar, 'show'), { status: 'approved', proposal })
  t.match(await run(oskar, 'confirm', { proposed_at: proposal.at }), { status: 'settled' })
})

t.test('the proposal of an operator who was disabled cannot be confirmed [D62]', async (t) => {
  const { market, run } = await approved()
  const vera = await stored(market, 'vera')
  const { service } = market.world
  const { proposal } = await run(vera, 'settle')
  await runOperation(service, 'operator.disable', { name: 'vera' })
  await t.rejects(run(oskar, 'confirm'), {
    code: 'SHARE_PURCHASE_ILLEGAL_STATE',
    message: /^vera, who has proposed this decision, .+ Propose the decision again/,
  })
  t.match(await run(oskar, 'show'), { status: 'approved', proposal }, 'nothing has changed')

  const again = await run(oskar, 'settle')
  t.match(again, { status: 'approved', proposal: { operator: 'oskar', decision: 'settle' } })
  t.ok(again.proposal.at > proposal.at, 'the same decision is proposed again')
  await t.rejects(run(oskar, 'confirm'), { code: 'FORBIDDEN' })
  t.match(await run(maria, 'confirm'), { status: 'settled' })
})

t.test('the same holds for an operator who may no longer decide [D62]', async (t) => {
  const { market, run } = await approved()
  const vera = await stored(market, 'vera')
  const { service } = market.world
  await run(vera, 'reject', { reason: 'Not wanted.' })
  await runOperation(service, 'operator.set_role', { name: 'vera', role: 'viewer' })
  await t.rejects(run(oskar, 'confirm'), { code: 'SHARE_PURCHASE_ILLEGAL_STATE' })
  t.match(await run(oskar, 'reject'), { proposal: { operator: 'oskar', reason: null } })
  await run(maria, 'settle')
  await runOperation(service, 'operator.set_role', { name: 'vera', role: 'administrator' })
  t.match(await run(oskar, 'confirm'), { status: 'settled' })
})

t.test('an operator who is enabled again has a valid proposal [D62]', async (t) => {
  const { market, run } = await approved()
  const vera = await stored(market, 'vera')
  const { service } = market.world
  await run(vera, 'settle')
  await runOperation(service, 'operator.disable', { name: 'vera' })
  await runOperation(service, 'operator.enable', { name: 'vera' })
  t.match(await run(oskar, 'confirm'), { status: 'settled' })
})

t.test('one operator cannot reject an order by cancelling the order that it needs', async (t) => {
  const { market, first, second, run } = await related()
  const third = await placeAccepted(market)
  await t.rejects(run(maria, 'cancel'), {
    code: 'SHARE_PURCHASE_ILLEGAL_STATE',
    message: `Other share purchases would be rejected with this one, and another operator has to confirm each rejection: ${second} (approved), ${third} (submitted). Cancel or reject them first, or propose to reject this one with \`coopshare purchase reject\`.`,
  })
  for (const [id, status] of [
    [first, 'submitted'],
    [second, 'approved'],
    [third, 'submitted'],
  ] as const) {
    t.equal((await get(market, `${collectionOf(market)}/${id}`)).body.status, status)
  }

  await run(maria, 'reject', { share_purchase_id: second, reason: 'Not wanted.' })
  await run(oskar, 'confirm', { share_purchase_id: second })
  await run(maria, 'cancel', { share_purchase_id: third })
  t.match(await run(maria, 'cancel'), { status: 'cancelled' }, 'no other order depends on it now')
})

t.test('two operators can reject an order together with the orders that need it', async (t) => {
  const { market, second, run } = await related()
  await run(maria, 'reject', { reason: 'Not wanted.' })
  t.match(await run(oskar, 'confirm'), { status: 'rejected' })
  const { body } = await get(market, `${collectionOf(market)}/${second}`)
  t.equal(body.status, 'rejected')
})

t.test('one operator can cancel an order while its dependent orders keep another', async (t) => {
  const market = await createGuarded({ minimumShares: 10 })
  const first = await placeAccepted(market, { share_count: 10 })
  const second = await placeAccepted(market, { share_count: 10 })
  const small = await placeAccepted(market, { share_count: 1 })
  t.match(await decideOn(market, first)(maria, 'cancel'), { status: 'cancelled' })
  await t.rejects(decideOn(market, second)(maria, 'cancel'), { message: `${small} (submitted)` })
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

t.test(
  'of orders that depend on each other, all rejections and then all settlements are confirmed',
  async (t) => {
    const { market, first, second, run } = await related()
    const [third, fourth] = [await placeAccepted(market), await placeAccepted(market)]
    const decide = async (name: string, ...ids: readonly string[]) => {
      for (const id of ids) await run(maria, name, { share_purchase_id: id })
    }
    await decide('approve', first, third, fourth)
    await decide('settle', second, first)
    await decide('reject', third, fourth)
    const caller = { operator: oskar, via: 'command', requestId: 'request-1' } as const
    const service = serviceForOperator(market.world.service, caller)
    const confirm = async () => {
      const orders = await selectToDecide(service, 'confirm', { filter: { proposed: true } })
      return decideOrders(service, orders, { decision: 'confirm' })
    }
    const decided = async (id: string) =>
      (await run(oskar, 'show', { share_purchase_id: id })).status
    t.notOk((await confirm()).some((each) => 'problem' in each))
    t.equal(await decided(first), 'settled')
    t.equal(await decided(second), 'settled')
    t.equal(await decided(third), 'rejected')
    t.equal(await decided(fourth), 'rejected')

    const other = await related()
    const ids = [other.first, other.second]
    for (const id of ids) await other.run(maria, 'reject', { share_purchase_id: id })
    const again = serviceForOperator(other.market.world.service, caller)
    const orders = await selectToDecide(again, 'confirm', { filter: { proposed: true } })
    const tried = await decideOrders(again, orders, { decision: 'confirm' })
    t.strictSame(
      tried.map(({ id }) => id),
      ids.toReversed(),
    )
    t.notOk(tried.some((each) => 'problem' in each))
  },
)
