import t, { type Test } from 'tap'
import Find from '../../commands/find.ts'
import InvestorErase from '../../commands/investor/erase.ts'
import InvestorExport from '../../commands/investor/export.ts'
import InvestorList from '../../commands/investor/list.ts'
import InvestorShow from '../../commands/investor/show.ts'
import PurchaseApprove from '../../commands/purchase/approve.ts'
import PurchaseList from '../../commands/purchase/list.ts'
import PurchaseReject from '../../commands/purchase/reject.ts'
import PurchaseSettle from '../../commands/purchase/settle.ts'
import { germanIban } from '../../fixtures/builders/investors.ts'
import { anything } from '../../fixtures/builders/subject.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { fillStore } from '../../fixtures/program/run-command.ts'
import {
  type CommandContext,
  runnerOn,
  withAndWithoutService,
} from '../../fixtures/program/with-and-without-service.ts'
import { type SeededOrders, seedOrders } from '../../fixtures/world/seed-orders.ts'
import type { Encrypted } from '../../src/domain/text.ts'

withAndWithoutService(t, { seed: seedOrders(2), test })

const unknown = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

async function test(t: Test, { run, seed }: CommandContext<SeededOrders>): Promise<void> {
  const { investorId, purchaseIds } = seed
  const [first = '', second = ''] = purchaseIds

  await t.test('find prints the person, their orders and the history of each order', async (t) => {
    const { stdout } = await run(Find, 'frieda', 'sonnenschein')
    t.match(stdout, new RegExp(`^investor_id +${investorId}$`, 'm'))
    t.match(stdout, /^matched +name$/m)
    t.match(stdout, new RegExp(`^Order ${first}: submitted, 5 shares of `, 'm'))
    t.match(stdout, /^AT +STATUS +EVENT +WEBHOOKS +E-MAIL$/m)
    t.notMatch(stdout, germanIban)
    t.match(
      (await run(Find, 'nobody')).stdout,
      /^Nothing was found\. The first three letters of each word/,
    )
    t.match(
      (await run(Find, germanIban, '--json')).json,
      exactArrays({ found: [{ investor_id: investorId, matched: ['iban'] }], more: 0 }),
    )
    t.match(await run(Find, '?!'), { exitCode: 4, stderr: /no letter or digit/ })
  })

  await t.test('a list and a page show the person', async (t) => {
    t.match((await run(InvestorList)).stdout, /Frieda Sonnenschein +customer-1 +Demo Bank/)
    t.match((await run(InvestorShow, investorId)).stdout, /^email +frieda/m)
  })

  await t.test('an export is a page for people, or JSON', async (t) => {
    const page = (await run(InvestorExport, investorId)).stdout
    for (const part of ['Person', 'Address', 'Bank account', 'Consents', `Order ${first}`]) {
      t.match(page, new RegExp(`^${part}\n-+$`, 'm'))
    }
    t.match(page, germanIban)
    const german = (await run(InvestorExport, investorId, '-o', 'html')).stdout
    t.match(german, '<html lang="de">')
    t.match(german, `<dt>IBAN</dt><dd><bdi>${germanIban}</bdi></dd>`)
    t.match(german, `<h2>Auftrag ${first}</h2>`)
    const english = await run(InvestorExport, investorId, '-o', 'html', '--language', 'en')
    t.match(english.stdout, /<html lang="en">[\s\S]+<dt>Last name<\/dt><dd><bdi>Sonnenschein</)
    t.notMatch(
      german,
      /\b(src|url)\b *[=(]|href="(?!data:)/,
      'the page loads nothing from a server',
    )
    const json = JSON.parse((await run(InvestorExport, investorId, '-o', 'json')).stdout)
    t.match(json, { investor: { profile: { bank_account: { iban: germanIban } } } })
    t.strictSame(
      { ...json, exported_at: '' },
      { ...(await run(InvestorExport, investorId, '--json')).json, exported_at: '' },
    )
  })

  await t.test('erasing needs --yes, an existing investor, and no open orders', async (t) => {
    t.match(await run(InvestorErase, investorId), { exitCode: 4, stderr: /--yes/ })
    t.match(await run(InvestorErase, investorId, '--yes'), {
      exitCode: 4,
      stderr: new RegExp(`${first} \\(submitted\\), ${second} \\(submitted\\)`),
    })
    t.equal((await run(InvestorErase, unknown, '--yes')).exitCode, 3)
    for (const id of purchaseIds) await run(PurchaseReject, id, '--reason', 'Not <b>wanted</b>.')
    const erased = await run(InvestorErase, investorId, '--yes', '--reason', 'Request of 3 May')
    t.match(erased.stdout, /^Kept: 2 share purchases\. .+HGB/m)
    t.match((await run(InvestorShow, investorId)).stdout, /^erased_because +Request of 3 May$/m)
    const page = (await run(InvestorExport, investorId, '-o', 'html')).stdout
    t.match(page, '<dt>Begründung</dt><dd><bdi>Not &lt;b&gt;wanted&lt;/b&gt;.</bdi></dd>')
    t.notMatch(page, /<b>|Sonnenschein/)
    const again = await run(InvestorErase, investorId, unknown, '--yes', '--json')
    t.equal(again.exitCode, 3)
    t.match(
      again.json,
      exactArrays([
        { investor_id: investorId, was_erased_before: true },
        { investor_id: unknown, error: { code: 'INVESTOR_NOT_FOUND' } },
      ]),
    )
    t.match(
      (await run(InvestorList, '--erased', '--json')).json,
      exactArrays([{ investor_id: investorId, partner_customer_ref: null }]),
    )
    const orders = (await run(PurchaseList, '--investor', investorId, '--json')).json
    t.match(
      orders,
      exactArrays([{ partner_customer_ref: null }, { partner_customer_ref: null }]),
      'orders no longer name the person',
    )
  })
}

t.test('a member is erased only with --although-member and --reason [D61]', async (t) => {
  const dataDirectory = t.testdir()
  const { investorId } = await fillStore(dataDirectory, seedOrders(1))
  const run = runnerOn(dataDirectory)
  await run(PurchaseApprove, '--all-submitted')
  await run(PurchaseSettle, '--all-approved')
  const refused = await run(InvestorErase, investorId, '--yes', '--reason', 'Request of 3 May')
  t.match(refused, { exitCode: 4, stderr: /list of members.+--although-member --reason TEXT/ })
  const unreasoned = await run(InvestorErase, investorId, '--yes', '--although-member')
  t.match(unreasoned, { exitCode: 2, stderr: /--reason/ })
  const many = await run(InvestorErase, investorId, unknown, '--yes', '--json')
  t.match(many.json, exactArrays([{ error: { code: 'INVESTOR_IS_MEMBER' } }, { error: {} }]))
  t.notOk((await run(InvestorShow, investorId, '--json')).json.erased_at)
  const reason = ['--reason', 'The board keeps its own list.']
  const erased = await run(InvestorErase, investorId, '--yes', '--although-member', ...reason)
  t.match(erased, { exitCode: 0, stdout: /^Kept: 1 holding/m })
})

t.test('a list names persons with damaged data', async (t) => {
  const dataDirectory = t.testdir()
  const { investorId } = await fillStore(dataDirectory, async (service) => {
    const seed = await seedOrders(1)(service)
    await service.store.write(anything, async ({ investors }) => {
      const stored = await investors.get(seed.organizationId, seed.investorId)
      if (!stored) throw new Error('There is no such investor.')
      await investors.put({ ...stored, encryptedPersonalData: service.vault.encrypt('{') })
    })
    return seed
  })
  const { stdout, stderr, exitCode } = await runnerOn(dataDirectory)(InvestorList)
  t.match({ stdout, exitCode }, { stdout: /\(damaged\) +customer-1 +Demo Bank/, exitCode: 0 })
  t.match(stderr, `The personal data of ${investorId} is damaged.`)
  const shown = (await runnerOn(dataDirectory)(InvestorShow, investorId)).stdout
  t.match(shown, /^name +\(damaged, see `coopshare store check`\)$/m)
  t.notMatch(shown, 'is_damaged')
})

t.test('an export with a damaged IBAN of an order says that the data is damaged', async (t) => {
  const dataDirectory = t.testdir()
  const { investorId } = await fillStore(dataDirectory, async (service) => {
    const seed = await seedOrders(1)(service)
    await service.store.write(anything, async ({ sharePurchases }) => {
      const order = await sharePurchases.find(seed.purchaseIds[0] ?? '')
      if (!order) throw new Error('There is no order.')
      const encryptedDebtorIban = `${order.sepaMandate.encryptedDebtorIban}x` as Encrypted
      await sharePurchases.put({
        ...order,
        sepaMandate: { ...order.sepaMandate, encryptedDebtorIban },
      })
    })
    return seed
  })
  const { json, exitCode } = await runnerOn(dataDirectory)(InvestorExport, investorId, '--json')
  t.match({ json, exitCode }, { json: { error: { code: 'STORE_DAMAGED' } }, exitCode: 5 })
})
