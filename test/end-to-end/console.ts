import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { until } from '../../fixtures/async.ts'
import {
  findAccessibilityFaults,
  findWidthOverflow,
  openBrowser,
  reach,
  skipWithoutBrowser,
} from '../../fixtures/program/browser.ts'
import { serveConsoleDemo } from '../../fixtures/program/console-demo.ts'
import {
  foundPaths,
  openDangers,
  steps,
  uploadCatalogue,
} from '../../fixtures/program/console-pages.ts'
import { signIn as connectPartner } from '../../fixtures/program/partner-client.ts'
import { answerWith } from '../../fixtures/servers/receiver.ts'

function navigation(page: Page) {
  return page.getByRole('navigation')
}

function textOf(page: Page): Promise<string> {
  return page.locator('main').innerText()
}

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).first().click()
}

async function goTo(page: Page, name: string): Promise<void> {
  await navigation(page).getByRole('link', { name, exact: true }).click()
}

async function signIn(page: Page, url: string, token: string): Promise<void> {
  await page.goto(url)
  await page.getByLabel('Operator token').fill(token)
  await press(page, 'Sign in')
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
}

async function download(t: Test, page: Page, button: string, file: string | RegExp): Promise<void> {
  const started = page.waitForEvent('download')
  await press(page, button)
  t.match((await started).suggestedFilename(), file)
}

/** Reloads the page until it has the text, because the change happens in the background. */
async function untilShown(t: Test, page: Page, text: string): Promise<void> {
  await until(t, async () => {
    if ((await textOf(page)).includes(text)) return true
    await page.reload()
    return false
  })
}

t.test('the console works in a browser', { skip: skipWithoutBrowser }, async (t) => {
  const demo = await serveConsoleDemo(t)
  const { served, operator, administratorToken, mariaToken, receiver } = demo
  const url = served.operator_url
  const visits = await openBrowser(t)
  const [admin, maria] = [await visits.open(), await visits.open()]

  await t.test("an operator does a day's work with the mouse", async (t) => {
    await signIn(admin, url, administratorToken)
    t.equal(await admin.title(), 'Today · coopshare')
    await admin.getByRole('link', { name: 'Waiting to be approved' }).click()
    t.match(admin.url(), '/orders?status=submitted')
    await admin.getByLabel('Partner').selectOption('Alpenbank')
    await press(admin, 'Show')
    const boxes = admin.locator('input[name=id]')
    await boxes.nth(0).check()
    await boxes.nth(1).check()
    const bar = admin.locator('.selection')
    t.match(await bar.innerText(), /2 selected · €[\d,]+\.00/)
    const list = admin.url()
    await press(admin, 'Approve')
    t.match(await textOf(admin), /Count\s+2/)
    await press(admin, 'Approve')
    t.match(await admin.getByRole('status').innerText(), /^Approved: 2 \(€[\d,]+\.00\)\.$/)
    t.ok(admin.url().startsWith(`${list}&outcome=`), 'the list again')
    await admin.reload()
    t.match(await admin.getByRole('status').innerText(), 'Approved: 2')
    const row = admin.locator('main tbody tr').first()
    const name = await row.locator('a').innerText()
    await row.locator('td').last().click({ force: true })
    t.match(admin.url(), /\/orders\/[0-9a-f-]{36}$/, 'the whole row is the link')
    t.match(await textOf(admin), name)
    await admin.getByRole('link', { name: 'Back to the orders' }).click()
    t.ok(admin.url().startsWith(list), 'the list with its filters')
    await goTo(admin, 'Partners')
    await admin.getByRole('link', { name: 'Demo Bank' }).click()
    await openDangers(admin, 'client.rotate_secret')
    await press(admin, 'Rotate secret')
    t.match(await admin.locator('.secret code').innerText(), /^\S{32,}$/)
    await goTo(admin, 'Catalogue')
    await admin.locator('main a[href^="/catalogue/"]').first().click()
    await admin.getByLabel('Price of a share').fill('260.00')
    await press(admin, 'Set price')
    t.match(await textOf(admin), '€260.00')
    await goTo(admin, 'Catalogue')
    await uploadCatalogue(admin)
    await press(admin, 'Compare')
    t.match(await textOf(admin), /New Coop eG\s+new-coop\s+hidden.*€100\.00/s)
    await press(admin, 'Import')
    await admin.getByRole('link', { name: 'New Coop eG' }).click()
    t.match(await textOf(admin), '€100.00')
  })

  await t.test(
    'a second operator confirms a decision that the first operator has proposed',
    async (t) => {
      const of = { status: 'approved', organization: 'Alpenbank', limit: 1 } as const
      const [{ share_purchase_id: id = '' } = {}] = await operator.call('purchase.list', of)
      const address = `${url}/orders/${id}`
      await admin.goto(address)
      t.match(await textOf(admin), `coopshare purchase settle ${id}`)
      await press(admin, 'Settle')
      t.match(await textOf(admin), /Proposed\s+settle, local/)
      await press(admin, 'Confirm as second person')
      await admin.getByRole('heading', { level: 1, name: 'Refused' }).waitFor()
      await signIn(maria, url, mariaToken)
      await maria.goto(address)
      await press(maria, 'Confirm as second person')
      t.match(await maria.locator('.story').innerText(), /submitted.*approved.*settled/s)
      t.equal(
        await maria.getByRole('button', { name: 'Reject' }).count(),
        0,
        'the order is settled',
      )
      t.match(await textOf(maria), /maria confirmed the decision on order/)
    },
  )

  await t.test(
    'an endpoint is paused and resumed, and an operator sends its deliveries',
    async (t) => {
      const orders = await operator.call('purchase.list', {
        status: 'submitted',
        organization: 'Demo Bank',
        limit: 2,
      })
      const [first = '', second = ''] = orders.map((order) => order.share_purchase_id)
      const decide = async (id: string, decision: 'Approve' | 'Reject') => {
        await admin.goto(`${url}/orders/${id}`)
        await press(admin, decision)
      }
      const openPartner = async () => {
        await goTo(admin, 'Partners')
        await admin.getByRole('link', { name: 'Demo Bank' }).click()
      }
      const sendNow = async (answered: number) => {
        await until(t, () => receiver.received.length > answered)
        await goTo(admin, 'Events')
        await admin.locator('main tr:has(.warn) a[href^="/events/"]').first().click()
        await untilShown(t, admin, 'failed')
        await press(admin, 'Send now')
      }
      await openPartner()
      await press(admin, 'Pause')
      t.match(await textOf(admin), /Health\s+paused/)
      const before = receiver.received.length
      await decide(first, 'Approve')
      await openPartner()
      t.match(await textOf(admin), /Health\s+paused 1/)
      t.equal(receiver.received.length, before, 'a paused endpoint gets nothing')
      await press(admin, 'Resume')
      await until(t, () => receiver.received.length > before)
      receiver.answer = answerWith(500)
      const failing = receiver.received.length
      await decide(second, 'Approve')
      await sendNow(failing)
      await untilShown(t, admin, 'dead')
      // The e-mail is written beside the first attempt, so either may end first.
      const timeline = await admin.locator('ol.timeline').innerText()
      t.strictSame(timeline.match(/failed|written/g)?.toSorted(), ['failed', 'failed', 'written'])
      t.match(await admin.locator('ol.timeline > li.good').innerText(), /written/)
      const rejected = receiver.received.length
      await decide(first, 'Reject')
      await until(t, () => receiver.received.length > rejected)
      receiver.answer = answerWith(204)
      await sendNow(rejected)
      await untilShown(t, admin, 'delivered 204')
      await admin.goto(`${url}/orders/${first}`)
      t.match(await textOf(admin), 'E-mail: written')
      await openPartner()
      t.match(await textOf(admin), `coopshare webhook certify ${receiver.url}`)
      await press(admin, 'Doctor')
      t.match(await textOf(admin), /Check\s+Result\s+Detail\s+url\s+warning/)
    },
  )

  await t.test('a partner is renamed, disabled, enabled and deleted', async (t) => {
    await goTo(admin, 'Partners')
    await admin.getByRole('textbox', { name: 'Name' }).fill('Test Bank')
    await press(admin, 'Create')
    await admin.getByRole('heading', { level: 1, name: 'Test Bank' }).waitFor()
    const renamed = admin.locator(
      '[action="/actions/organization.rename"] input[name="input.name"]',
    )
    await renamed.fill('Bank of Tests')
    await press(admin, 'Rename')
    await admin.getByRole('heading', { level: 1, name: 'Bank of Tests' }).waitFor()
    await openDangers(admin, 'organization.disable')
    await press(admin, 'Disable')
    t.match(await textOf(admin), /State\s+disabled/)
    await press(admin, 'Enable')
    t.match(await textOf(admin), /State\s+active/)
    await openDangers(admin, 'organization.delete')
    await press(admin, 'Delete')
    t.match(await textOf(admin), /This cannot be undone\.\s+Partner\s+Bank of Tests/)
    await press(admin, 'Delete')
    t.match(admin.url(), /\/partners\?done=organization\.delete$/)
    t.equal(await admin.getByRole('link', { name: 'Bank of Tests' }).count(), 0)
  })

  await t.test('a command and an id are copied, and a menu closes with Escape', async (t) => {
    await admin.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const copied = () => admin.evaluate<string>('navigator.clipboard.readText()')
    await goTo(admin, 'Partners')
    await admin.getByRole('link', { name: 'Demo Bank' }).click()
    const id = admin.url().slice(-36)
    await admin.locator('dd button.copy').first().click()
    t.equal(await copied(), id)
    t.equal(await admin.locator('#said').innerText(), 'Copied')
    await openDangers(admin, 'organization.disable')
    const disable = admin.locator('[action="/actions/organization.disable"]')
    t.notOk(await disable.locator('code').isVisible(), 'the command is behind the button')
    await disable.locator('button.copy').click()
    t.equal(await copied(), `coopshare organization disable ${id}`)
    const button = disable.getByRole('button', { name: 'Disable', exact: true })
    await button.focus()
    await admin.keyboard.press('Escape')
    t.notOk(await button.isVisible())
    t.match(await admin.evaluate('document.activeElement.textContent'), 'Dangerous actions')
    await openDangers(admin, 'organization.disable')
    await admin.getByRole('heading', { level: 1 }).click()
    t.notOk(await button.isVisible(), 'a click elsewhere closes the menu')
  })

  await t.test('a bar of the chart leads to the orders of its day', async () => {
    await goTo(admin, 'Today')
    await admin.locator('.plot a').first().click()
    await admin.waitForURL(/[?&](settled_)?since=\d{4}-\d\d-\d\d(&|$)/)
    await admin.locator('main a[href^="/orders/"]').first().waitFor()
  })

  await t.test('requests of partners appear live on the page', async (t) => {
    await goTo(admin, 'Live')
    await admin.getByText('connected', { exact: true }).waitFor()
    const partner = await connectPartner(served.base_url, {
      client_id: 'd0000000-0000-4000-8000-000000000001',
      client_secret: 'demo-bank-full-secret-for-staging-only',
    })
    const { id } = await operator.call('cooperative.show', { cooperative: 'solar-breisgau' })
    const order = await partner.order(await partner.register(), id)
    await partner.send('GET', '/v1/cooperatives')
    await partner.send('GET', `/v1/investors/${randomUUID()}/holdings`)
    const rows = admin.locator('#live tr')
    await rows.nth(4).waitFor()
    const shown = await rows.allInnerTexts()
    t.match(shown[0], 'INVESTOR_NOT_FOUND')
    t.match(shown[1], /Demo Bank full\s+GET \/v1\/cooperatives\s+200/)
    t.equal(order.status, 201)
    await goTo(admin, 'Today')
  })

  await t.test("an operator does a day's work with the keyboard", async (t) => {
    await maria.context().clearCookies()
    const { keyboard } = maria
    const skip = async () => {
      await keyboard.press('Tab')
      t.equal(await maria.evaluate('document.activeElement.className'), 'skip')
      await keyboard.press('Enter')
    }
    const follow = async (selector: string, address: string | RegExp) => {
      if (!selector.startsWith('header')) await skip()
      await reach(maria, selector)
      await keyboard.press('Enter')
      await maria.waitForURL(address)
    }
    await maria.goto(url)
    // The browser focuses the field only when it first draws the page.
    await maria.locator('input[autofocus]:focus').waitFor()
    await keyboard.type(mariaToken)
    await keyboard.press('Enter')
    await navigation(maria).waitFor()
    // The script that handles the key may load after the page.
    await maria.waitForLoadState('load')
    await keyboard.press('Control+k')
    await keyboard.type('kar ay')
    const suggestion = maria.getByRole('option', { name: /^Person Ayşe Karaca/ })
    await suggestion.waitFor()
    t.strictSame(await findAccessibilityFaults(maria), [], 'suggestions')
    await keyboard.press('ArrowDown')
    t.equal(await suggestion.getAttribute('aria-selected'), 'true')
    await keyboard.press('Enter')
    await maria.waitForURL(/\/investors\/[0-9a-f-]{36}$/)
    await maria.waitForLoadState('load')
    await keyboard.press('?')
    const keys = maria.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await keys.waitFor()
    t.strictSame(await findAccessibilityFaults(maria), [], 'the list of keys')
    await keyboard.press('Space')
    await keyboard.press('Escape')
    await keyboard.press('j')
    t.equal(await maria.evaluate('document.activeElement.closest("tr")'), null, 'j is turned off')
    await maria.getByRole('button', { name: 'Keyboard shortcuts' }).click()
    await keyboard.press('Space')
    await keyboard.press('Escape')
    await keyboard.press('j')
    await keyboard.press('Enter')
    await maria.waitForURL(/\/catalogue\/[0-9a-f-]{36}$/)
    await maria.waitForLoadState('load')
    await keyboard.press('/')
    await keyboard.type('Karaca')
    await keyboard.press('Enter')
    await maria.waitForURL('**/find?text=Karaca')
    await follow('main tr:has(.warn) a[href^="/orders/"]', /\/orders\/[0-9a-f-]{36}$/)
    await follow('[action="/actions/purchase.approve"] button', /done=purchase.approve$/)
    await skip()
    await reach(maria, 'input[name="input.reason"]')
    await keyboard.type('The mandate was returned.')
    await keyboard.press('Enter')
    await maria.waitForURL('**done=purchase.reject')
    t.match(await textOf(maria), 'The mandate was returned.')
    await follow('header a[href="/orders"]', '**/orders')
    await skip()
    await reach(maria, '.tabs a[href="/orders?status=submitted"]')
    await keyboard.press('Enter')
    await maria.waitForURL('**/orders?status=submitted')
    await skip()
    await reach(maria, '#all')
    await keyboard.press('Space')
    const boxes = await maria.locator('input[name=id]:checked').count()
    t.match(await maria.locator('.selection').innerText(), `${boxes} selected`)
    await reach(maria, '.selection button[value=approve]')
    await keyboard.press('Enter')
    await maria.waitForURL('**/orders')
    t.match(await textOf(maria), new RegExp(`Count\\s+${boxes}\\s`))
    await skip()
    await reach(maria, 'main form button')
    await keyboard.press('Enter')
    await maria.waitForURL('**/orders?status=submitted&outcome=*')
    t.match(await maria.getByRole('status').innerText(), `Approved: ${boxes}`)
    await follow('header a[href="/events"]', '**/events')
    await follow('main a[href*="state=dead"]', '**/events?state=dead')
    await follow('main a[href^="/events/"]', /\/events\/[0-9a-f-]{36}$/)
    const before = receiver.received.length
    await follow('[action="/actions/event.replay"] button:not(.quiet)', '**/actions/event.replay')
    await until(t, () => receiver.received.length > before)
    await follow('header a[href="/investors"]', '**/investors')
    await follow('main a[href^="/investors/"]', /\/investors\/[0-9a-f-]{36}$/)
    await skip()
    await reach(maria, '[action$="/export"] button[value=de]')
    const copy = maria.waitForEvent('download')
    await keyboard.press('Enter')
    t.match((await copy).suggestedFilename(), /^investor-.*\.html$/)
    await follow('header form[action="/sign-out"] button', `${url}/`)
    await maria.getByLabel('Operator token').waitFor()
  })

  await t.test('an operator collects payments, from approved orders to a report', async (t) => {
    const look = async (name: string) =>
      t.strictSame(await findAccessibilityFaults(admin), [], name)
    await goTo(admin, 'Today')
    await admin.getByRole('link', { name: 'Payments that are due' }).click()
    t.match(await textOf(admin), /Doppelkraft Göttingen eG\s+€3,030.00 \(3\)/)
    await admin.getByLabel('Cooperative').first().selectOption('Doppelkraft Göttingen eG')
    await press(admin, 'Preview')
    t.match(await textOf(admin), /Doppelkraft Göttingen eG\s+.*\s+3\s+€3,030.00/)
    await look('the preview of a collection')
    await press(admin, 'Collect')
    await download(t, admin, 'Download the file', /^[0-9a-f]{32}\.xml$/)
    await admin.reload()
    t.match(await textOf(admin), /State\s+exported/)
    const answers = admin.getByRole('combobox', { name: 'Answer of the bank' })
    t.equal(await answers.count(), 3)
    await answers.nth(0).selectOption('AM04')
    await answers.nth(1).selectOption('MD06')
    await look('a collection')
    const statement = admin.waitForEvent('download')
    await press(admin, 'Download the statement')
    const path = await (await statement).path()
    await goTo(admin, 'Payments')
    await admin.getByRole('link', { name: 'Statements' }).click()
    await admin.locator('input[type=file]').setInputFiles(path)
    await press(admin, 'Preview')
    t.match(await textOf(admin), /camt\.053\.001\.08/)
    await look('the preview of a statement')
    await press(admin, 'Import')
    await admin.getByRole('heading', { level: 1, name: 'Statement' }).waitFor()
    t.match(await textOf(admin), /Booked\s+1\s+Returned\s+2\s/)
    await look('a statement')
    await admin.getByRole('link', { name: 'Paid orders to settle' }).click()
    await admin.locator('#all').check()
    await press(admin, 'Settle')
    t.match(await textOf(admin), /Count\s+1/)
    await press(admin, 'Settle')
    t.match(await admin.getByRole('status').innerText(), /^Proposed: 1\./)
    await goTo(admin, 'Payments')
    await admin.getByRole('link', { name: 'Payments that came back' }).click()
    await admin.waitForURL('**/orders?payment_state=returned')
    const returned = await admin
      .locator('main tbody a[href^="/orders/"]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    t.equal(returned.length, 2)
    const decided: string[] = []
    for (const href of returned) {
      await admin.goto(`${url}${href}`)
      const retry = admin.getByRole('button', { name: 'Collect again' })
      if ((await retry.count()) > 0) {
        await retry.click()
        t.match(await textOf(admin), /Payment\s+State\s+due/)
        decided.push('retried')
      } else {
        t.match(await textOf(admin), 'The payer wants the money back.')
        await admin.locator('input[name="input.reason"]').fill('The payer took the money back.')
        await press(admin, 'Reject')
        t.match(await textOf(admin), /Status\s+rejected/)
        decided.push('rejected')
      }
      await look('an order with a payment')
    }
    t.strictSame(decided.sort(), ['rejected', 'retried'])
    await goTo(admin, 'Payments')
    await admin.getByRole('link', { name: 'Report on payments' }).click()
    await press(admin, 'Show')
    t.match(
      await textOf(admin),
      /Doppelkraft Göttingen eG\s+€1,010.00\s+€0.00\s+€3,030.00\s+€2,520.00\s+€6.00\s/,
    )
    t.match(await textOf(admin), 'the report agrees with the statements to the cent')
    await look('the report')
  })

  // With a proposal, the list of orders has a button for each decision.
  const [approved] = await operator.call('purchase.list', {
    status: 'approved',
    organization: 'Alpenbank',
    limit: 1,
  })
  await operator.call('purchase.settle', { share_purchase_id: approved?.share_purchase_id ?? '' })
  const paths = await findPages(admin, url)
  // Not every combination is needed, because the language does not change colours.
  for (const [language, colorScheme, width] of [
    ['en', 'light', 2560],
    ['de', 'dark', 320],
  ] as const) {
    const title = `every page is accessible: ${language}, ${colorScheme}, ${width} pixels wide`
    await t.test(title, async (t) => {
      for (const page of [admin, maria]) {
        await page.setViewportSize({ width, height: 800 })
        await page.emulateMedia({ colorScheme })
        await page.goto(url)
        const menu = page.getByText('Menu', { exact: true })
        if (await menu.isVisible()) await menu.click()
        if (language === 'de') await press(page, 'Deutsch')
      }
      const look = async (page: Page, name: string) => {
        t.strictSame(await findAccessibilityFaults(page), [], name)
        t.ok((await findWidthOverflow(page)) <= 0, `${name} fits`)
      }
      for (const path of [...paths, ...foundPaths]) {
        await admin.goto(`${url}${path}`)
        t.equal(await admin.locator('html').getAttribute('lang'), language, path)
        await look(admin, path)
      }
      for (const [name, path, prepare, button] of steps) {
        await admin.goto(`${url}${paths.find((each) => path.test(each))}`)
        await prepare?.(admin)
        await admin.locator(button).first().click()
        await look(admin, name)
      }
      await look(maria, 'sign in')
      await maria.locator('#token').fill('wrong')
      await maria.locator('main button').click()
      await maria.locator('[role=alert]').waitFor()
      await look(maria, 'a wrong token')
    })
  }

  await t.test('every page fits the window, however wide it is', async (t) => {
    for (const path of [...paths, ...foundPaths]) {
      await admin.goto(`${url}${path}`)
      for (const width of [730, 900, 1030, 1280]) {
        await admin.setViewportSize({ width, height: 800 })
        t.ok((await findWidthOverflow(admin)) <= 0, `${path}: ${width} pixels`)
      }
    }
  })

  await t.test('on a telephone, the tab of the shown list is in sight', async (t) => {
    const width = 320
    await admin.setViewportSize({ width, height: 800 })
    for (const tab of ['/orders', '/orders?status=rejected', '/orders?status=cancelled']) {
      await admin.goto(`${url}${tab}`)
      const box = await admin.locator('.tabs [aria-current]').boundingBox()
      t.ok(box && box.x >= 0 && box.x + box.width <= width, tab)
    }
  })

  await t.test('without JavaScript everything works except live requests', async (t) => {
    const page = await visits.open({ javaScriptEnabled: false, locale: 'de-DE' })
    await page.goto(url)
    await page.getByLabel('Token des Operators').fill(administratorToken)
    await press(page, 'Anmelden')
    for (const name of germanPages) {
      await goTo(page, name)
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    }
    await goTo(page, 'Aufträge')
    t.equal(await page.locator('[hidden]:visible').count(), 0, 'what needs a script stays hidden')
    await download(t, page, 'Alle als CSV', 'orders.csv')
    await goTo(page, 'Anleger')
    await page.locator('main a[href^="/investors/"]').first().click()
    for (const name of ['Seite auf Deutsch', 'Seite auf Englisch']) {
      await download(t, page, name, /^investor-.*\.html$/)
    }
    await download(t, page, 'JSON für Programme', /^investor-.*\.json$/)
    await goTo(page, 'Partner')
    await page.getByRole('link', { name: 'Demo Bank' }).click()
    await openDangers(page, 'organization.disable')
    const disable = page.locator('[action="/actions/organization.disable"]')
    t.match(await disable.locator('code').innerText(), 'coopshare organization disable ')
    t.equal(await page.locator('button.copy:visible').count(), 0)
    await goTo(page, 'Live')
    t.match(await textOf(page), 'Diese Seite braucht JavaScript.')
    await press(page, 'English')
    t.equal(await page.locator('html').getAttribute('lang'), 'en')
    await press(page, 'Sign out')
    await page.getByLabel('Operator token').waitFor()
  })

  t.strictSame(visits.complaints, [], 'no page violates its policy or lacks a part')
  t.strictSame([...visits.origins], [url], 'nothing is loaded from another site')
})

const germanPages = [
  ...['Heute', 'Aufträge', 'Anleger', 'Partner', 'Katalog'],
  ...['Ereignisse', 'Protokoll', 'System'],
]

/** Finds the address of a page of each kind. */
async function findPages(page: Page, url: string): Promise<readonly string[]> {
  await page.goto(url)
  const sections = await navigation(page).getByRole('link').all()
  const paths = await Promise.all(sections.map((link) => link.getAttribute('href')))
  const found: string[] = []
  for (const path of [...paths.filter((each) => each !== null), '/statements']) {
    found.push(path)
    if (path === '/') continue
    await page.goto(`${url}${path}`)
    const first = page.locator(`main a[href^="${path}/"]`).first()
    const href = (await first.count()) > 0 ? await first.getAttribute('href') : null
    if (href !== null) found.push(href)
  }
  return [...found, '/payment-report?show=yes', '/orders?payment_state=returned']
}
