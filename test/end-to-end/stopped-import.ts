import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { until } from '../../fixtures/async.ts'
import { completeProvision } from '../../fixtures/builders/investors.ts'
import { connectOperator } from '../../fixtures/program/operator-client.ts'
import { runCoopshare, serve, spawnCoopshare } from '../../fixtures/program/serve.ts'

const count = 1500

t.test(
  'an import that is killed leaves whole parts, and the same command finishes it [D48]',
  async (t) => {
    const directory = t.testdir()
    const place = ['--data-dir', join(directory, 'data')]
    const file = join(directory, 'partners.json')
    const investors = Array.from({ length: count }, (_, number) => ({
      ...completeProvision({ partner_customer_ref: `customer-${number}` }),
      share_purchases: [{ cooperative: 'sun', share_count: 5 }],
    }))
    const sun = { key: 'sun', name: 'Sonne eG', energy_category: 'solar', share_price: '100.00' }
    const organizations = [{ name: 'Musterbank', clients: [{ name: 'full' }], investors }]
    writeFileSync(file, JSON.stringify({ organizations, cooperatives: [sun] }))
    await serve(t, [...place, '--log-level', 'silent'])
    const operator = await connectOperator(join(directory, 'data'))
    const { process: command, ended } = await spawnCoopshare(['fixtures', 'apply', file, ...place])
    t.teardown(() => command.kill('SIGKILL'))
    const stored = async () => (await operator.call('investor.list', { limit: 1 })).length > 0
    await until(t, stored, 120_000)
    command.kill('SIGKILL')
    t.equal((await ended).signal, 'SIGKILL')
    const { records, problems } = await operator.call('store.check', {})
    const found = records['investors'] ?? 0
    t.ok(found > 0 && found < count, `${found} investors are stored`)
    t.equal(records['share_purchases'], found, 'each with the order')
    t.strictSame(problems, [])
    t.equal(records['clients'], 0, 'no partner has access to incomplete data')

    const repeated = await runCoopshare(['fixtures', 'apply', file, '--json', ...place])
    t.equal(repeated.code, 0, repeated.stderr)
    const { created, unchanged } = JSON.parse(repeated.stdout)
    t.ok(unchanged.investors >= found)
    t.equal(created.investors + unchanged.investors, count)
    t.equal(created.share_purchases + unchanged.share_purchases, count)
    t.equal(created.clients, 1)
    const after = await operator.call('store.check', {})
    t.match(after.records, { investors: count, share_purchases: count, clients: 1 })
    t.strictSame(after.problems, [])
  },
)
