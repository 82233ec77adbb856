import { join } from 'node:path'
import t from 'tap'
import EventList from '../../commands/event/list.ts'
import FixturesApply from '../../commands/fixtures/apply.ts'
import OrganizationCreate from '../../commands/organization/create.ts'
import OrganizationList from '../../commands/organization/list.ts'
import StoreCopy from '../../commands/store/copy.ts'
import { runCommand } from '../../fixtures/program/run-command.ts'
import { runnerOn } from '../../fixtures/program/with-and-without-service.ts'
import { tryEach } from '../../src/operations/bulk/try-each.ts'

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

t.test('a command that opens the store itself uses the settings of serve', async (t) => {
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

t.test('a boolean variable that is neither true nor false is wrong usage', async (t) => {
  const run = runnerOn(join(t.testdir(), 'data'))
  const name = 'COOPSHARE_HTTPS'
  t.teardown(() => delete process.env[name])
  for (const text of ['on', 'ture', '2']) {
    process.env[name] = text
    const { exitCode, stderr } = await run(OrganizationList)
    t.equal(exitCode, 2, text)
    t.match(stderr, `COOPSHARE_HTTPS must be true or false, not "${text}".`)
  }
  for (const text of ['TRUE', 'y', '0', 'No', '']) {
    process.env[name] = text
    t.equal((await run(OrganizationList)).exitCode, 5, `${text}: there is no store`)
  }
})

t.test('an empty directory name is wrong usage, not the working directory', async (t) => {
  const empty = ['--data-dir', '']
  const rows = [
    await runCommand(OrganizationList, ...empty),
    await runCommand(OrganizationCreate, 'Demo Bank', ...empty),
    await runCommand(StoreCopy, '--to', '', '--data-dir', t.testdir()),
  ]
  for (const { exitCode, stderr } of rows) {
    t.equal(exitCode, 2)
    t.match(stderr, /--(data-dir|to) is empty\. Give a directory\./)
  }
})

t.test('a list limit that is too large is wrong usage', async (t) => {
  const run = runnerOn(t.testdir())
  const { exitCode, stderr } = await run(EventList, '--limit', '99999999999999999999')
  t.equal(exitCode, 2)
  t.match(stderr, '1000000000')
})

t.test('a bank look-up address that is not http is wrong usage', async (t) => {
  const run = runnerOn(t.testdir())
  t.teardown(() => delete process.env['COOPSHARE_BANK_LOOKUP_URL'])
  process.env['COOPSHARE_BANK_LOOKUP_URL'] = 'file:///etc/passwd'
  const { exitCode, stderr } = await run(OrganizationList)
  t.equal(exitCode, 2)
  t.match(stderr, '--bank-lookup-url must be an http or https address')
})

t.test('a command works on 16 ids at a time', async (t) => {
  let [inFlight, most] = [0, 0]
  const ids = Array.from({ length: 40 }, (_, index) => String(index))
  await tryEach([ids], {
    act: async () => {
      inFlight += 1
      most = Math.max(most, inFlight)
      await new Promise((resolve) => setImmediate(resolve))
      inFlight -= 1
    },
  })
  t.equal(most, 16)
})
