import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { stringify } from 'yaml'
import { until } from '../../fixtures/async.ts'
import { completeProvision } from '../../fixtures/builders/investors.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { connectBench } from '../../fixtures/program/bench-client.ts'
import { connectOperator } from '../../fixtures/program/operator-client.ts'
import { signIn } from '../../fixtures/program/partner-client.ts'
import { serve } from '../../fixtures/program/serve.ts'
import { createInstances } from '../../fixtures/program/served-instances.ts'

const credentials = {
  client_id: 'c0000000-0000-4000-8000-000000000001',
  client_secret: 'a-secret-for-staging-only-of-32-characters',
}
const cooperativeId = 'f0000000-0000-4000-8000-000000000001'

/** Makes the fixtures of an investor whose orders have this fate. */
function setUp(fate: string, ref: string) {
  const investors = [{ ...completeProvision({ partner_customer_ref: ref }), fate }]
  return {
    organizations: [{ name: 'Musterbank', clients: [{ name: 'full', ...credentials }], investors }],
    cooperatives: [
      {
        id: cooperativeId,
        key: 'sun',
        name: 'Sonne eG',
        energy_category: 'solar' as const,
        share_price: 1,
      },
    ],
  }
}

/** Starts a service with the investor of `setUp`. */
async function start(
  t: Parameters<typeof serve>[0],
  directory: string,
  fate: string,
  ...argv: string[]
) {
  const file = join(directory, 'fixtures.yaml')
  writeFileSync(file, stringify(setUp(fate, 'c-1')))
  const dataDirectory = join(directory, 'data')
  const served = await serve(t, ['--data-dir', dataDirectory, '--fixtures', file, ...argv])
  const partner = await signIn(served.listening_url, credentials)
  const { body } = await partner.send('GET', '/v1/investors?partner_customer_ref=c-1')
  const operator = await connectOperator(dataDirectory)
  return { dataDirectory, served, partner, operator, investorId: body.investor_id as string }
}

const returned = ['submitted', 'approved', 'rejected']

t.test('the fate of an order happens in real time', async (t) => {
  const { partner, operator, investorId, served } = await start(t, t.testdir(), 'return-after:2s')
  const { body } = await partner.order(investorId, cooperativeId)
  const show = () => operator.call('purchase.show', { share_purchase_id: body.share_purchase_id })
  await until(t, async () => (await show()).status === 'rejected')
  const { history, reason, created_at } = await show()
  t.strictSame(
    history.map(({ status }) => status),
    returned,
  )
  t.equal(reason, 'Direct debit returned (AC04).')
  const tookMs = Date.parse(history.at(-1)?.at ?? '') - Date.parse(created_at)
  t.ok(tookMs >= 2000 && tookMs < 10_000, `${tookMs} ms after placing`)
  t.equal((await served.stop()).code, 0)
})

t.test('the fate of an order also happens after a restart', async (t) => {
  const directory = t.testdir()
  const first = await start(t, directory, 'return-after:3s')
  const { body } = await first.partner.order(first.investorId, cooperativeId)
  const share_purchase_id = body.share_purchase_id
  await first.served.stop('SIGKILL')
  const { operator } = await start(t, directory, 'return-after:3s')
  const show = () => operator.call('purchase.show', { share_purchase_id })
  await until(t, async () => (await show()).status === 'rejected')
  t.strictSame(
    (await show()).history.map(({ status }) => status),
    returned,
  )
})

t.test('the audit names what the clock and an operator have changed', async (t) => {
  const started = await start(t, t.testdir(), 'settle', '--bench')
  const { partner, operator, investorId } = started
  await partner.order(investorId, cooperativeId)
  const bench = await connectBench(started.dataDirectory)
  await bench('POST', 'clock', { advance: '2h' })
  await bench('POST', 'tokens/expire', {})
  const step = { operation: 'fate', actor: { kind: 'system' } }
  const expired = { operation: 'tokens.expire', actor: { kind: 'operator' } }
  t.match(await operator.call('audit.list', { limit: 3 }), exactArrays([expired, step, step]))
})

t.test('several instances take each step of a fate once, even after a crash', async (t) => {
  const instances = await createInstances(t)
  const [first, second] = [await instances.start(), await instances.start()]
  const place = async (fate: string, ref: string) => {
    await first.operator.call('fixtures.apply', setUp(fate, ref))
    const partner = await signIn(second.served.listening_url, credentials)
    const { body } = await partner.send('GET', `/v1/investors?partner_customer_ref=${ref}`)
    const placed = Array.from({ length: 10 }, () => partner.order(body.investor_id, cooperativeId))
    return (await Promise.all(placed)).map(({ body }): string => body.share_purchase_id)
  }
  const haveMet = async ({ operator }: typeof first, ids: readonly string[]) => {
    for (const share_purchase_id of ids) {
      const show = () => operator.call('purchase.show', { share_purchase_id })
      await until(t, async () => (await show()).status === 'rejected')
      t.strictSame(
        (await show()).history.map(({ status }) => status),
        returned,
      )
    }
  }
  const early = await place('return-after:2s', 'c-1')
  await haveMet(first, early)
  t.equal((await first.operator.call('event.list', {})).length, early.length * returned.length)

  const late = await place('return-after:3s', 'c-2')
  await Promise.all([first, second].map(({ served }) => served.stop('SIGKILL')))
  await haveMet(await instances.start(), late)
})
