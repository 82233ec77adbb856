import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { findBrowser, howToGetBrowser } from '../../fixtures/program/installed-tools.ts'
import { type Served, serve } from '../../fixtures/program/serve.ts'

const executablePath = findBrowser()
const skip = executablePath === undefined && howToGetBrowser
const token = 'the-token-of-the-local-administrator'

/** What the browser complains about: errors, and violations of the content security policy. */
interface Visitor {
  readonly page: Page
  readonly complaints: readonly string[]
  readonly requests: readonly string[]
}

async function launch(t: Test): Promise<Browser> {
  const browser = await chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  })
  t.teardown(() => browser.close())
  return browser
}

async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({ locale: 'en-GB', ...options })
  const [complaints, requests]: [string[], string[]] = [[], []]
  context.on('request', (request) => requests.push(request.url()))
  context.on('weberror', (fault) => complaints.push(String(fault.error())))
  context.on('console', (message) => {
    // Chromium reports the answer to a visitor without a session as an error.
    const isExpected = message.text().includes('status of 401')
    if (['error', 'warning'].includes(message.type()) && !isExpected) {
      complaints.push(message.text())
    }
  })
  await context.addInitScript(`addEventListener('securitypolicyviolation', (event) => {
    console.error('violation: ' + event.violatedDirective + ' ' + event.blockedURI)
  })`)
  return { page: await context.newPage(), complaints, requests }
}

async function serveDemo(t: Test): Promise<Served> {
  const place = ['--data-dir', t.testdir(), '--operator-port', '0']
  return serve(t, ['--demo', '--log-level', 'silent', ...place], {
    COOPSHARE_OPERATOR_TOKEN: token,
  })
}

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByLabel('Operator token').fill(token)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
}

function navigation(page: Page) {
  return page.getByRole('navigation')
}

/** Presses Tab until the element has the focus. */
async function reach(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 200; presses += 1) {
    await page.keyboard.press('Tab')
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return
  }
  throw new Error(`Tab does not reach ${selector}.`)
}

/** The address of a page of each kind. */
async function findPages(page: Page, url: string): Promise<readonly string[]> {
  const sections = await navigation(page).getByRole('link').all()
  const paths = await Promise.all(sections.map((link) => link.getAttribute('href')))
  const found: string[] = []
  for (const path of paths.filter((each) => each !== null)) {
    found.push(path)
    await page.goto(`${url}${path}`)
    const first = page.locator(`main a[href^="${path}/"]`).first()
    const href = path !== '/' && (await first.count()) > 0 && (await first.getAttribute('href'))
    if (href) found.push(href)
  }
  return found
}

t.test('the console works in a browser', { skip }, async (t) => {
  const { operator_url: url } = await serveDemo(t)
  const browser = await launch(t)

  await t.test("an operator's day by mouse", async (t) => {
    const { page, complaints, requests } = await openPage(browser)
    await signIn(page, url)
    await page.getByRole('link', { name: 'Waiting to be approved' }).click()
    t.match(page.url(), '/orders?status=submitted')
    const order = page.locator('main a[href^="/orders/"]').first()
    const href = (await order.getAttribute('href')) ?? ''
    await order.click()
    t.match(await page.locator('main').innerText(), `coopshare purchase approve ${href.slice(8)}`)
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('button', { name: 'Settle' }).click()
    t.match(await page.locator('.story').innerText(), /submitted.*approved.*settled/s)
    t.equal(await page.getByRole('button', { name: 'Reject' }).count(), 0, 'it is over')
    await navigation(page).getByRole('link', { name: 'Orders' }).click()
    await page.getByLabel('Status').selectOption('submitted')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByLabel('Select all').check()
    await page.getByRole('button', { name: 'Preview' }).click()
    t.match(await page.locator('main').innerText(), /Count\s+2/)
    await page.getByRole('button', { name: 'Approve' }).click()
    t.match(await page.getByRole('status').innerText(), '2 done, 0 refused')
    await navigation(page).getByRole('link', { name: 'Partners' }).click()
    await page.getByRole('link', { name: 'Demo Bank' }).click()
    await page.getByRole('button', { name: 'Rotate secret' }).first().click()
    t.match(await page.locator('.secret').innerText(), /^\S{32,}$/)
    await navigation(page).getByRole('link', { name: 'Catalogue' }).click()
    await page.locator('main a[href^="/catalogue/"]').first().click()
    await page.getByLabel('Price of a share').fill('260.00')
    await page.getByRole('button', { name: 'Set price' }).click()
    t.match(await page.locator('main').innerText(), '€260.00')
    await navigation(page).getByRole('link', { name: 'Catalogue' }).click()
    const sheet = 'key,name,energy_category,share_price\nnew-coop,New Coop eG,solar,100.00\n'
    const buffer = Buffer.from(sheet)
    await page.getByLabel('File').setInputFiles({ name: 'new.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByRole('heading', { name: 'new-coop: created' }).waitFor()
    await page.getByRole('button', { name: 'Import' }).click()
    await page.getByRole('link', { name: 'New Coop eG' }).click()
    t.match(await page.locator('main').innerText(), '€100.00')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Operator token').waitFor()
    t.strictSame(complaints, [], 'nothing violates the policy of the pages')
    t.strictSame(
      [...new Set(requests.map((each) => new URL(each).origin))].filter(
        (origin) => origin !== 'null',
      ),
      [url],
      'nothing is loaded from elsewhere',
    )
  })

  await t.test("an operator's day by keyboard", async (t) => {
    const { page, complaints } = await openPage(browser)
    await page.goto(url)
    await page.keyboard.type(token)
    await page.keyboard.press('Enter')
    await navigation(page).waitFor()
    await page.keyboard.press('Tab')
    t.equal(await page.evaluate('document.activeElement.className'), 'skip')
    await reach(page, 'a[href="/orders?status=approved"]')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/orders?status=approved')
    await reach(page, 'main a[href^="/orders/"]')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/orders\/[0-9a-f-]{36}$/)
    await reach(page, 'form[action="/actions/purchase.reject"] input[name="input.reason"]')
    await page.keyboard.type('The mandate was returned.')
    await page.keyboard.press('Enter')
    await page.waitForURL('**done=purchase.reject')
    t.match(await page.locator('main').innerText(), 'The mandate was returned.')
    t.strictSame(complaints, [])
  })

  await t.test('requests of partners appear while one looks', async (t) => {
    const { page, complaints } = await openPage(browser)
    await signIn(page, url)
    await navigation(page).getByRole('link', { name: 'Live' }).click()
    await page.getByText('connected', { exact: true }).waitFor()
    t.strictSame(complaints, [])
  })

  await t.test('every page is accessible, in light and dark, at every width', async (t) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, complaints } = await openPage(browser, { colorScheme })
      await signIn(page, url)
      for (const path of await findPages(page, url)) {
        await page.goto(`${url}${path}`)
        t.strictSame(await findBarriers(page), [], `${path} in ${colorScheme}`)
        for (const width of [320, 2560]) {
          await page.setViewportSize({ width, height: 800 })
          const surplus = 'document.documentElement.scrollWidth - innerWidth'
          t.ok(Number(await page.evaluate(surplus)) <= 0, `${path} at ${width} pixels`)
        }
        await page.setViewportSize({ width: 1280, height: 800 })
      }
      t.strictSame(complaints, [])
    }
  })

  await t.test('without JavaScript everything works but live requests', async (t) => {
    const { page } = await openPage(browser, { javaScriptEnabled: false, locale: 'de-DE' })
    await page.goto(url)
    await page.getByLabel('Token des Operators').fill(token)
    await page.getByRole('button', { name: 'Anmelden' }).click()
    for (const name of [
      'Heute',
      'Aufträge',
      'Anleger',
      'Partner',
      'Katalog',
      'Ereignisse',
      'Protokoll',
      'System',
    ]) {
      await navigation(page).getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    }
    await navigation(page).getByRole('link', { name: 'Live' }).click()
    t.match(await page.locator('main').innerText(), 'Diese Seite braucht JavaScript.')
    await page.getByRole('button', { name: 'English' }).click()
    t.equal(await page.locator('html').getAttribute('lang'), 'en')
  })
})

interface Finding {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string }[]
}

async function findBarriers(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const violations: readonly Finding[] = await page.evaluate(
    'axe.run(document).then(({ violations }) => violations)',
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}
