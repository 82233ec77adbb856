import t from 'tap'
import { investorRecord } from '../../../fixtures/builders/records.ts'
import { anything } from '../../../fixtures/builders/subject.ts'
import { exactArrays } from '../../../fixtures/exact-arrays.ts'
import {
  administer,
  createDatabase,
  roleOfRows,
  stopServer,
} from '../../../fixtures/postgres/databases.ts'
import { openSniffingProxy } from '../../../fixtures/postgres/sniffing-proxy.ts'
import { referringStore } from '../../../fixtures/stores/referring-store.ts'
import { PostgresStore } from '../../../src/adapters/postgres/postgres-store.ts'
import { quickRows } from '../../../src/adapters/postgres/table.ts'
import type { ReadableRecords } from '../../../src/ports/store.ts'

t.teardown(stopServer)

const investor = investorRecord({ investorId: 'one', partnerCustomerRef: 'c-1' })
const findInvestor = ({ investors }: ReadableRecords) => investors.get('org-1', 'one')
const findHolding = ({ holdings }: ReadableRecords) => holdings.find('org-1', 'one', 'solar')

t.test('short lists and pages are read with the reads of others', async (t) => {
  const { options, drop } = await createDatabase()
  t.teardown(drop)
  const line = await openSniffingProxy(t, options.url)
  const store = new PostgresStore({ ...options, url: line.url })
  t.teardown(() => store.close())
  await referringStore(store).write(anything, ({ investors }) => investors.put(investor))
  line.take()
  const page = { page: 1, size: 20 }
  const [found, orders, { totalItems }] = await Promise.all([
    store.read(findInvestor),
    store.read((r) => r.sharePurchases.listByInvestors('org-1', ['one'])),
    store.read((r) => r.sharePurchases.pageByInvestor('org-1', 'one', page)),
  ])
  t.match(found, { investorId: 'one' })
  t.same([orders.length, totalItems], [0, 0])
  t.equal(line.take().length, 1, 'in one statement')

  const rest = { page: 2, size: quickRows }
  await Promise.all([
    store.read(findInvestor),
    store.read((r) => r.sharePurchases.pageByInvestor('org-1', 'one', rest)),
  ])
  t.equal(line.take().length, 2, 'a page that skips many rows has a statement of its own')
})

t.test('a failing statement fails only the reads that were sent with it', async (t) => {
  const { options, drop } = await createDatabase()
  t.teardown(drop)
  const url = await roleOfRows(t, options)
  const line = await openSniffingProxy(t, url)
  const store = new PostgresStore({ ...options, url: line.url })
  t.teardown(() => store.close())
  await referringStore(store).write(anything, ({ investors }) => investors.put(investor))
  const askTogether = async () => {
    line.take()
    const asked = await Promise.allSettled([store.read(findInvestor), store.read(findHolding)])
    t.equal(line.take().length, 1, 'in one statement')
    return asked
  }
  const answered = [
    { status: 'fulfilled', value: { investorId: 'one' } },
    { status: 'fulfilled', value: undefined },
  ]
  t.match(await askTogether(), exactArrays(answered))

  line.take()
  const found = await Promise.all([store.read(findInvestor), store.read(findInvestor)])
  t.match(found, exactArrays([{ investorId: 'one' }, { investorId: 'one' }]))
  const asked = line.take().map(({ values }) => values)
  t.match(asked, exactArrays([exactArrays(['[["org-1","one"]]'])]), 'two reads ask for it once')

  const { username } = new URL(url)
  await administer(options, [`revoke select on holdings from ${username}`])
  const refused = {
    status: 'rejected',
    reason: {
      code: 'SERVICE_UNAVAILABLE',
      message: /^The service cannot use its database/,
      cause: { message: /permission denied for table holdings/ },
    },
  }
  t.match(await askTogether(), exactArrays([refused, refused]))
  t.match(await store.read(findInvestor), { investorId: 'one' }, 'the next statement works')

  await administer(options, [`grant select on holdings to ${username}`])
  t.match(await askTogether(), exactArrays(answered))
})
