import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { contract } from '../../fixtures/contract/contract.ts'
import { findBrowser, howToGetBrowser } from '../../fixtures/program/installed-tools.ts'
import { serve } from '../../fixtures/program/serve.ts'
import { listOperations } from '../../src/contract/document.ts'

const executablePath = findBrowser()
const skip = executablePath === undefined && howToGetBrowser

/**
 * Opens a page in a browser that can reach only this machine, and records its requests and faults.
 */
async function openBrowser(t: Test) {
  const browser = await chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  })
  t.teardown(() => browser.close())
  const context = await browser.newContext()
  const requests: string[] = []
  const complaints: string[] = []
  context.on('request', (request) => requests.push(request.url()))
  context.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`))
  context.on('weberror', (fault) => complaints.push(String(fault.error())))
  return { context, page: await context.newPage(), requests, complaints }
}

function headingOf(page: Page, operationId: string) {
  return page.locator(`[data-section-id="operation/${operationId}"] h2`)
}

t.test('the reference page works in a browser', { skip }, async (t) => {
  const { base_url } = await serve(t, ['--data-dir', t.testdir(), '--log-level', 'silent'])
  const { context, page, requests, complaints } = await openBrowser(t)
  const answer = await page.goto(`${base_url}/docs`)

  await t.test(
    'the reference page has every operation and every event of the contract',
    async (t) => {
      for (const { operation } of listOperations(contract)) {
        const { operationId, summary } = operation
        t.equal(await headingOf(page, operationId).innerText(), summary, operationId)
      }
      for (const { post } of Object.values(contract.webhooks)) {
        const { operationId, summary } = post
        t.equal(await headingOf(page, operationId).innerText(), `${summary} Webhook`, operationId)
      }
    },
  )

  await t.test('the search of the reference page finds operations', async (t) => {
    await page.getByRole('textbox').fill('holdings')
    const found = page.locator('[data-role="search:results"]')
    t.match(await found.innerText(), 'List what an investor holds')
  })

  await t.test('the reference page shows code samples that call this service', async (t) => {
    const section = page.locator('[data-section-id="operation/placeSharePurchase"]')
    for (const [label, call] of [
      ['curl', 'curl --fail-with-body'],
      ['TypeScript', 'await fetch('],
      ['Python', 'requests.post('],
      ['Java', 'HttpRequest.newBuilder()'],
    ] as const) {
      await section.getByRole('tab', { name: label, exact: true }).click()
      const sample = await section.getByRole('tabpanel').filter({ hasText: call }).innerText()
      t.match(sample, `${base_url}/v1/investors/`, label)
      t.match(sample, 'Required scope: applications:write', label)
    }
  })

  await t.test(
    'the reference page loads nothing from other sites and reports no errors',
    async (t) => {
      const fetched = requests.filter((url) => !url.startsWith(`blob:${base_url}/`))
      t.strictSame(fetched, [`${base_url}/docs`])
      t.strictSame(complaints, [])
    },
  )

  await t.test('the reference page works as a file without a network', async (t) => {
    const file = join(t.testdir(), 'reference.html')
    writeFileSync(file, (await answer?.body()) ?? '')
    await context.setOffline(true)
    const saved = await context.newPage()
    await saved.goto(`file://${file}`)
    t.equal(await headingOf(saved, 'placeSharePurchase').innerText(), 'Place an order for shares')
    t.strictSame(complaints, [])
    await context.setOffline(false)
  })

  await t.test('the reference page runs and loads only its own content', async (t) => {
    t.match(
      answer?.headers()['content-security-policy'],
      /^default-src 'none'; script-src 'sha256-/,
    )
    await page.evaluate(`{
      const script = document.createElement('script')
      script.text = 'window.hasRun = true'
      document.body.append(script)
    }`)
    t.equal(await page.evaluate('window.hasRun'), undefined)
    const load = "fetch('/livez').then(() => 'loaded', () => 'stopped')"
    t.equal(await page.evaluate(load), 'stopped')
  })
})
