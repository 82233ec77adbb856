import { randomUUID } from 'node:crypto'
import t from 'tap'
import { anything } from '../../fixtures/builders/subject.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { type Console, openConsole, signIn } from '../../fixtures/world/console.ts'
import { placeAccepted } from '../../fixtures/world/market.ts'
import { startOfDay, toTimestamp } from '../../src/domain/timestamp.ts'
import { runOperation } from '../../src/operations/operations.ts'

t.test('the orders that were settled in a month are in a sheet with that time', async (t) => {
  const console = await openConsole()
  const { market } = console
  const { service, clock } = market.world
  await placeAccepted(market)
  const settled = await placeAccepted(market)
  await runOperation(service, 'purchase.approve', { share_purchase_id: settled })
  await runOperation(service, 'purchase.settle', { share_purchase_id: settled })
  const now = clock.now()
  const day = (days: number) =>
    new Date(Date.parse(now) + days * 86_400_000).toISOString().slice(0, 10)
  const { cookie, csrf } = await signIn(console)
  const query = `?settled_since=${day(-1)}&settled_until=${day(2)}&sort=created_at`
  const list = await console.get(`/orders${query}`, { cookie })
  t.match(list.text, `<input type="date" name="settled_since" value="${day(-1)}">`)
  t.match(list.text, `--settled-since ${day(-1)}T00:00:00+0`)
  t.match(list.text, '--sort settled_at')
  const sheet = await console.post(`/orders.csv${query}`, { csrf }, { cookie })
  const [head, row, ...rest] = sheet.text.replace('\ufeff', '').trimEnd().split('\n')
  t.match(head, /,settled_at$/)
  t.match(row, settled)
  t.match(row, new RegExp(`,${now}$`))
  t.same(rest, [])
  const sums = await console.get(`/orders/sums${query}`, { cookie })
  t.match(sums.text, '<dt>Count</dt><dd>1</dd>')
})

t.test('the orders of a month are in a sheet, with totals for each cooperative', async (t) => {
  const console = await openConsole()
  const { market } = console
  const { clock } = market.world
  const early = await placeAccepted(market)
  const month = (days: number) =>
    new Date(Date.parse(clock.now()) + days * 86_400_000).toISOString().slice(0, 10)
  const [before, after] = [month(-40), month(40)]
  const late = randomUUID()
  await market.world.service.store.write(anything, async ({ sharePurchases }) => {
    const order = await sharePurchases.find(early)
    const createdAt = toTimestamp(new Date(Date.parse(clock.now()) + 60 * 86_400_000))
    if (order) await sharePurchases.put({ ...order, sharePurchaseId: late, createdAt })
  })
  const { cookie, csrf } = await signIn(console)
  const query = `?cooperative=${market.cooperative.id}&status=&since=${before}&until=${after}`
  const list = await console.get(`/orders${query}`, { cookie })
  t.match(list.text, `href="/orders/${early}"`)
  t.notMatch(list.text, `href="/orders/${late}"`, 'an order of a later month')
  t.match(list.text, `<input type="date" name="since" value="${before}">`)
  t.match(list.text, `--since ${before}T00:00:00+0`, 'a day in the time zone of the platform')
  t.match(list.text, /<form method="post" action="\/orders\.csv\?/)
  const sheet = await console.post(`/orders.csv${query}`, { csrf }, { cookie })
  t.match(sheet.headers.get('content-disposition'), 'attachment; filename="orders.csv"')
  const [head, row, ...rest] = sheet.text.replace('\ufeff', '').trimEnd().split('\n')
  t.match(head, /^share_purchase_id,status,organization,.*,total,total_currency,mandate_reference,/)
  t.match(row, early)
  t.same(rest, [])
  const sums = await console.get(`/orders/sums${query}`, { cookie })
  t.match(sums.text, /<dt>Count<\/dt><dd>1<\/dd><dt>Sum<\/dt><dd>€/)
  t.match(sums.text, `href="/catalogue/${market.cooperative.id}"`)
})

t.test(
  'a day of the platform begins at midnight in its time zone, in summer and in winter',
  async (t) => {
    t.equal(startOfDay('2026-03-29'), '2026-03-29T00:00:00+01:00')
    t.equal(startOfDay('2026-03-30'), '2026-03-30T00:00:00+02:00')
    t.equal(startOfDay('2026-02-30'), '2026-02-30', 'a day that is not in the calendar')
    t.equal(startOfDay('2026-03-01T00:00:00Z'), '2026-03-01T00:00:00Z')
  },
)

t.test('an import shows new values, and marks unlikely values', async (t) => {
  const console = await openConsole()
  const { key } = console.market.cooperative
  const { service } = console.market.world
  const { cookie, csrf } = await signIn(console)
  await runOperation(service, 'cooperative.set_price', { cooperative: key, share_price: '250.00' })
  const head = 'key,name,energy_category,share_price,entry_fee,published,city'
  const added = 'new-coop,Neue eG,wind,1250.00,15.00,true,Ulm'
  const show = (...lines: string[]) => compare(console, { cookie, csrf }, [head, ...lines])
  const fresh = await show(added)
  t.match(fresh, /<dt>New<\/dt><dd>1<\/dd><dt>Changed<\/dt><dd>0<\/dd>/)
  for (const cell of ['Neue eG', 'published', 'Ulm', '€1,250.00', '€15.00']) t.match(fresh, cell)
  t.notMatch(fresh, 'class="danger"')
  const { name, energy_category: category } = console.market.cooperative as unknown as Row
  const changed = await show(`${key},${name ?? 'X'},${category ?? 'solar'},2500.00,,false,Ulm`)
  t.match(changed, /Look at 2 of these changes twice/)
  t.match(changed, /Price of a share<.*€250\.00.*€2,500\.00 <strong class="bad">900 %</s)
  t.match(changed, '<button class="danger">Import</button>')
  const named = [{ key, name: 'X', energy_category: 'wind', share_price: '1.00', logo_image: 'x' }]
  const refused = await compare(console, { cookie, csrf }, [JSON.stringify(named)], 'a.json')
  t.match(refused, 'logo_image: names a file that was not uploaded')
})

t.test(
  'the service does not read the file of a viewer, and the audit has the attempt',
  async (t) => {
    const console = await openConsole()
    const { service } = console.market.world
    const minted = await runOperation(service, 'operator.create', { name: 'Vi', role: 'viewer' })
    const { cookie, csrf } = await signIn(console, (minted as { readonly token: string }).token)
    for (const path of ['/catalogue', '/pictures']) {
      const form = new FormData()
      for (const [name, value] of Object.entries({ csrf, cooperative: 'none', kind: 'logo' })) {
        form.set(name, value)
      }
      form.set('file', new File(['PK'], 'damaged.xlsx'))
      const answer = await console.post(path, form, { cookie })
      t.equal(answer.status, 403, path)
      t.match(answer.text, 'cooperative.import is for the roles operator and administrator', path)
    }
    const entries = await runOperation(service, 'audit.list', { operator: 'Vi' })
    const refused = { operation: 'cooperative.import', outcome: 'refused', code: 'FORBIDDEN' }
    t.match(entries, exactArrays([refused, { operation: 'sign_in' }]))
  },
)

interface Row {
  readonly name?: string
  readonly energy_category?: string
}

t.test('the catalogue is a workbook, and a cooperative gets a picture', async (t) => {
  const console = await openConsole()
  const { id } = console.market.cooperative
  const { service } = console.market.world
  const { cookie, csrf } = await signIn(console)
  const workbook = await console.get('/catalogue.xlsx', { cookie })
  t.match(workbook.headers.get('content-disposition'), 'filename="catalogue.xlsx"')
  t.match(workbook.text, /^PK/)
  const show = () => runOperation(service, 'cooperative.show', { cooperative: id })
  const before = await show()
  const form = new FormData()
  for (const [name, value] of Object.entries({ csrf, cooperative: id, kind: 'logo' })) {
    form.set(name, value)
  }
  form.set('file', new File([picture], 'logo.png', { type: 'image/png' }))
  const answer = await console.post('/pictures', form, { cookie })
  t.equal(answer.status, 303)
  const { images, updated_at: _, ...rest } = (await show()) as Record<string, unknown>
  t.same(images, ['logo'])
  t.match(before, rest, 'no other field has changed')
  t.match(
    (await console.get(`/catalogue/${id}`, { cookie })).text,
    `src="/pictures/${id}?kind=logo"`,
  )
  const none = await console.post('/pictures', { csrf, cooperative: id, kind: 'logo' }, { cookie })
  t.match(none.text, 'Choose a file.')
})

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/** Uploads a sheet and returns the page that compares it with the catalogue. */
async function compare(
  console: Console,
  { cookie, csrf }: { readonly cookie: string; readonly csrf: string },
  lines: readonly string[],
  file = 'catalogue.csv',
) {
  const form = new FormData()
  form.set('csrf', csrf)
  form.set('file', new File([`${lines.join('\n')}\n`], file))
  return (await console.post('/catalogue', form, { cookie })).text
}
