import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { until } from '../../fixtures/async.ts'
import { contract } from '../../fixtures/contract/contract.ts'
import {
  findAccessibilityFaults,
  findWidthOverflow,
  openBrowser,
  skipWithoutBrowser,
} from '../../fixtures/program/browser.ts'
import { connectOperator } from '../../fixtures/program/operator-client.ts'
import { type Ready, serve } from '../../fixtures/program/serve.ts'
import { listOperations } from '../../src/contract/document.ts'

const options = { skip: skipWithoutBrowser }
const quiet = ['--log-level', 'silent'] as const
const token = 'the-token-of-the-local-administrator'

async function openPage(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/docs`)
  await page.locator('#api-title').waitFor()
}

async function choose(page: Page, summary: string): Promise<void> {
  const entry = page.locator('.nav-bar-path').filter({ hasText: summary }).first()
  // The entries move while a part of the list unfolds.
  await entry.press('Enter')
  const heading = page.locator('.expanded-endpoint-body h2').filter({ hasText: summary })
  await heading.first().waitFor()
}

const executes = (page: Page) =>
  page.getByRole('button', { name: 'Execute' }).filter({ visible: true })

/** Waits for the answer that the page shows, and returns its status. */
async function execute(page: Page): Promise<string> {
  await executes(page).click()
  const status = page.getByText(/^Response Status: \d+/)
  await status.waitFor()
  return /\d+/.exec(await status.innerText())?.[0] ?? ''
}

async function answerIn(page: Page): Promise<string> {
  const shown = page.locator('api-request syntax-highlighter pre').filter({ visible: true })
  return shown.last().innerText()
}

t.test('the reference page works in a browser', options, async (t) => {
  const directory = t.testdir()
  const service = await serve(t, ['--demo', '--data-dir', directory, ...quiet], {
    COOPSHARE_OPERATOR_TOKEN: token,
  })
  const { base_url } = service
  const { open, complaints, origins } = await openBrowser(t)
  const page = await open()
  await openPage(page, base_url)

  await t.test('the reference page has every operation and every event', async (t) => {
    const entries = await page.locator('.nav-bar-path').allInnerTexts()
    const listed = entries.map((entry) => entry.trim())
    for (const { operation } of listOperations(contract)) {
      t.ok(listed.includes(operation.summary ?? ''), operation.operationId)
    }
    for (const { post } of Object.values(contract.webhooks)) {
      t.ok(listed.includes(`${post.summary} (Webhook)`), post.operationId)
    }
  })

  await t.test('the page at / leads to the first order in the reference', async (t) => {
    const reader = await open()
    await reader.goto(base_url)
    await reader.getByRole('link', { name: 'Place an order' }).click()
    const guide = reader.getByRole('heading', { name: 'Place a first order in six calls' })
    await until(t, async () => ((await guide.first().boundingBox())?.y ?? 1000) < 200)
    await reader.close()
  })

  await t.test('the search of the reference page finds operations', async (t) => {
    const field = page.getByPlaceholder('Filter')
    await field.fill('holdings')
    await page.locator('.nav-bar-path').filter({ hasText: 'Get an access token' }).waitFor({
      state: 'detached',
    })
    const found = await page.locator('.nav-bar-path').allInnerTexts()
    t.ok(found.some((each) => each.includes('List what an investor holds')))
    await field.fill('')
  })

  await t.test('the reference page shows code samples that call this service', async (t) => {
    await choose(page, 'Place an order for shares')
    for (const [label, call] of [
      ['curl', 'curl --fail-with-body'],
      ['TypeScript', 'await fetch('],
      ['Python', 'requests.post('],
      ['Java', 'HttpRequest.newBuilder()'],
    ] as const) {
      await page.getByRole('button', { name: label, exact: true }).click()
      const sample = page.locator('.code-sample-wrapper pre').filter({ visible: true })
      const text = await sample.innerText()
      t.match(text, call, label)
      t.match(text, `${base_url}/v1/investors/`, label)
      t.match(text, 'Required scope: applications:write', label)
    }
  })

  await t.test('with demo data, one click calls the service with a token', async (t) => {
    await choose(page, 'Place an order for shares')
    t.equal(await execute(page), '201')
    t.match(await answerIn(page), /"status": "submitted"/)
    await choose(page, 'List or search the catalogue')
    t.equal(await execute(page), '200')
    t.match(await answerIn(page), 'Potsdam')
    await choose(page, 'An order settled')
    t.equal(await executes(page).count(), 0, 'a webhook is no call to the service')
  })

  await t.test(
    'everyone can read the reference page, in both schemes and at any width',
    async (t) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        for (const summary of ['Place an order for shares', 'Read an order']) {
          await choose(page, summary)
          t.strictSame(await findAccessibilityFaults(page), [], `${summary}, ${colorScheme}`)
        }
      }
      const paper = await page.evaluate('getComputedStyle(document.body).backgroundColor')
      t.equal(paper, 'rgb(20, 24, 26)', 'the page is dark')
      for (const width of [320, 390, 1280, 2560]) {
        await page.setViewportSize({ width, height: 844 })
        t.equal(await findWidthOverflow(page), 0, `${width}`)
      }
      await page.setViewportSize({ width: 390, height: 844 })
      await page.getByRole('button', { name: 'Search' }).click()
      await page.keyboard.type('holdings')
      const found = page.getByText('List what an investor holds').filter({ visible: true })
      await found.first().waitFor()
    },
  )

  await t.test('everyone can read the guide, in both schemes and at any width', async (t) => {
    const guide = await open()
    for (const path of [
      '/guide/',
      '/guide/partners/integration',
      '/guide/partners/receivers',
      '/guide/examples/python/order.py',
    ]) {
      await guide.goto(`${base_url}${path}`)
      for (const colorScheme of ['light', 'dark'] as const) {
        await guide.emulateMedia({ colorScheme })
        t.strictSame(await findAccessibilityFaults(guide), [], `${path}, ${colorScheme}`)
      }
      for (const width of [320, 1280]) {
        await guide.setViewportSize({ width, height: 844 })
        t.ok((await findWidthOverflow(guide)) <= 0, `${path}, ${width}`)
      }
    }
  })

  await t.test('the reference page loads nothing from other sites and reports no errors', (t) => {
    t.strictSame([...origins], [base_url])
    t.strictSame(complaints, [])
    t.end()
  })

  await t.test('the operator page calls with a token that a person typed once', async (t) => {
    const operatorPage = await open()
    await openPage(operatorPage, service.operator_url)
    await choose(operatorPage, 'List partner organizations')
    await executes(operatorPage).click()
    await operatorPage.getByLabel('Operator token').fill(token)
    await operatorPage.getByRole('button', { name: 'Call', exact: true }).click()
    await operatorPage.getByText('Response Status: 200').waitFor()
    t.match(await answerIn(operatorPage), 'Demo Bank')
    t.strictSame(complaints, [])
  })
})

t.test('without demo data, a person types the credentials once [D68]', options, async (t) => {
  const directory = t.testdir()
  const { base_url } = await serve(t, ['--data-dir', directory, ...quiet])
  const operator = await connectOperator(directory)
  await operator.call('organization.create', { name: 'Alpenbank' })
  const client = await operator.call('client.create', { organization: 'Alpenbank' })
  const { open } = await openBrowser(t)
  const page = await open()
  await openPage(page, base_url)
  await choose(page, 'Read the client of the token')
  await executes(page).click()
  await page.getByLabel('Client id').fill(client.client_id)
  await page.getByLabel('Client secret').fill('wrong')
  await page.getByRole('button', { name: 'Call', exact: true }).click()
  t.match(await page.getByRole('alert').innerText(), 'client_secret is wrong')
  t.strictSame(await findAccessibilityFaults(page), [])
  await page.getByLabel('Client secret').fill(client.client_secret)
  await page.keyboard.press('Enter')
  await page.getByText('Response Status: 200').waitFor()
  await choose(page, 'List or search the catalogue')
  t.equal(await execute(page), '200', 'nobody is asked again')
  const kept = await page.evaluate(
    '[localStorage.length, sessionStorage.length, document.cookie, location.search]',
  )
  t.strictSame(kept, [0, 0, '', ''], 'the tab alone knows the credentials')
})

t.test('the reference page in production only shows the contract [D68]', options, async (t) => {
  const production = ['--environment', 'production', '--no-investor-mail']
  const served = await serve(t, [...production, '--data-dir', t.testdir(), ...quiet])
  const { open } = await openBrowser(t)
  for (const url of addressesOf(served)) {
    const page = await open()
    await openPage(page, url)
    await page.locator('.nav-bar-path').first().press('Enter')
    await page.locator('.expanded-endpoint-body').waitFor()
    t.equal(await executes(page).count(), 0, url)
    const load = "fetch('/livez').then(() => 'loaded', () => 'stopped')"
    t.equal(await page.evaluate(load), 'stopped', 'the policy allows no request at all')
  }

  await t.test('the reference page runs and loads only its own content', async (t) => {
    const page = await open()
    await openPage(page, served.base_url)
    await page.evaluate(`{
      const script = document.createElement('script')
      script.text = 'window.hasRun = true'
      document.body.append(script)
    }`)
    t.equal(await page.evaluate('window.hasRun'), undefined)
  })

  await t.test('the reference page works as a file without a network', async (t) => {
    await worksAsFile(t, await open(), served)
  })
})

const addressesOf = ({ base_url, operator_url }: Ready) => [base_url, operator_url]

async function worksAsFile(t: Test, page: Page, { base_url }: Ready): Promise<void> {
  const answer = await page.goto(`${base_url}/docs`)
  const file = join(t.testdir(), 'reference.html')
  writeFileSync(file, (await answer?.body()) ?? '')
  await page.context().setOffline(true)
  await page.goto(`file://${file}`)
  await page.locator('#api-title').waitFor()
  await choose(page, 'Place an order for shares')
}
