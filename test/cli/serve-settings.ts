import { join } from 'node:path'
import t from 'tap'
import FixturesApply from '../../commands/fixtures/apply.ts'
import OrganizationList from '../../commands/organization/list.ts'
import { runnerOn } from '../../fixtures/either-way.ts'
import { tryEach } from '../../src/cli/try-each.ts'

const orders = `organizations:
  - name: Demo Bank
    investors:
      - partner_customer_ref: c-1
        email: ada@mail.example
        profile:
          first_name: Ada
          last_name: Muster
          birth_date: '1990-02-28'
          address: { street: Weg, house_number: '1', postal_code: '10115', city: Berlin }
          bank_account: { iban: DE89370400440532013000 }
          consents: { terms: { given: true }, privacy: { given: true }, data_sharing: { given: true } }
        share_purchases: [{ cooperative: sun, share_count: 5 }]
cooperatives:
  - { key: sun, name: Sonne eG, energy_category: solar, share_price: '100.00' }
`

t.test('a command that opens the store itself reads the settings of serve', async (t) => {
  const directory = t.testdir({ 'orders.yaml': orders })
  const run = runnerOn(join(directory, 'data'))
  const name = 'COOPSHARE_MAX_SHARE_COUNT'
  t.teardown(() => delete process.env[name])
  process.env[name] = '4'
  const refused = await run(FixturesApply, join(directory, 'orders.yaml'), '--json')
  t.equal(refused.exitCode, 4)
  t.match(refused.json.error.message, /share_count: must be at most 4/)
  t.strictSame((await run(OrganizationList, '--json')).json, [])
  process.env[name] = '5'
  t.equal((await run(FixturesApply, join(directory, 'orders.yaml'))).exitCode, 0)
})

t.test('of several ids 16 are worked on at once', async (t) => {
  let [underWay, most] = [0, 0]
  const ids = Array.from({ length: 40 }, (_, index) => String(index))
  await tryEach(ids, {
    act: async () => {
      underWay += 1
      most = Math.max(most, underWay)
      await new Promise((resolve) => setImmediate(resolve))
      underWay -= 1
    },
  })
  t.equal(most, 16)
})
