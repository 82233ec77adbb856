import type { Page } from 'playwright-core'
import { foundPaths, steps } from '../../fixtures/program/console-pages.ts'
import { pagePaths } from '../../src/http/console/routes.ts'
import type { Scene } from './demo.ts'

/** What a picture shows. */
export interface View {
  /** The name of the picture. */
  readonly name: string
  /** Opens the page, in a browser that is signed in unless the view is `anonymous`. */
  open(page: Page): Promise<unknown>
  readonly anonymous?: true
  /** Only the first window of a page that is very long. */
  readonly windowOnly?: true
  /** The page as a printer gets it. */
  readonly printed?: true
}

/** @returns a view of each page that a person can reach */
export function listViews(scene: Scene): readonly View[] {
  return [...publicViews(scene), ...consoleViews(scene), ...stepViews(scene)]
}

function publicViews({ served }: Scene): readonly View[] {
  const at = (path: string) => (page: Page) => page.goto(`${served.base_url}${path}`)
  return [
    { name: 'public', open: at('/'), anonymous: true },
    { name: 'public-docs', open: at('/docs'), anonymous: true, windowOnly: true },
    { name: 'public-errors', open: at('/errors'), anonymous: true },
    { name: 'public-errors-one', open: at('/errors/validation-error'), anonymous: true },
    { name: 'public-guide', open: at('/guide/'), anonymous: true },
    { name: 'public-guide-one', open: at('/guide/partners/integration'), anonymous: true },
    { name: 'public-not-found', open: at('/guide/none'), anonymous: true },
  ]
}

/** Views of the routes whose pages differ by their records or queries, besides one of each route. */
function special({ orders }: Scene): Readonly<Record<string, readonly string[]>> {
  return {
    '/orders': ['?status=submitted', '?status=approved', '?status=rejected', '?since=2030-01-01'],
    '/orders/:id': Object.values(orders),
    '/find': foundPaths.filter((path) => path.startsWith('/find')).map((path) => path.slice(5)),
    '/events': ['?state=dead'],
    '/payment-report': ['?show=yes'],
  }
}

/** Routes whose answers are data or files. */
const noPage = /\.\w+$|^\/pictures\/|^\/live\/requests$/

/**
 * Makes views from the routes of the console, so that a new page cannot be forgotten. A page of one
 * record is the first to which a page of the same section leads.
 */
function consoleViews(scene: Scene): readonly View[] {
  const { operator_url } = scene.served
  const names = new Map(Object.entries(scene.orders).map(([name, id]) => [id, name]))
  const goTo = (path: string) => (page: Page) => page.goto(`${operator_url}${path}`)
  return pagePaths
    .filter((path) => !noPage.test(path))
    .flatMap((route): View[] => {
      const name = nameOf(route)
      const isRecord = route.endsWith('/:id')
      const section = route.replace('/:id', '')
      const more = special(scene)[route] ?? []
      const first: View[] = isRecord
        ? [{ name, open: (page) => openFirst(page, operator_url, section) }]
        : [{ name, open: goTo(route) }]
      return [
        ...(route === '/find' ? [] : first),
        ...more.map((rest) => ({
          name: nameOf(`${section}-${names.get(rest) ?? rest}`),
          open: goTo(isRecord ? `${section}/${rest}` : `${route}${rest}`),
        })),
      ]
    })
}

function nameOf(path: string): string {
  const words = path.replace('/:id', '-one').split(/\W+/).filter(Boolean)
  return words.join('-') || 'today'
}

async function openFirst(page: Page, url: string, section: string): Promise<void> {
  await page.goto(`${url}${section}`)
  const link = page.locator(`main a[href^="${section}/"]:not([href*="."])`).first()
  const href = await link.getAttribute('href', { timeout: 5000 }).catch(() => {
    throw new Error(`${section} has no link to a page of one record. Add a record to the demo.`)
  })
  await page.goto(`${url}${href}`)
}

/** Views of what follows a form, and of what needs no session. */
function stepViews({ served, orders, partner }: Scene): readonly View[] {
  const url = served.operator_url
  const signInWith = async (page: Page, token: string) => {
    await page.goto(url)
    await page.locator('#token').fill(token)
    await page.locator('main button').first().click()
    await page.locator('[role=alert]').waitFor()
  }
  return [
    { name: 'sign-in', open: (page) => page.goto(url), anonymous: true },
    { name: 'sign-in-refused', open: (page) => signInWith(page, 'wrong'), anonymous: true },
    { name: 'not-found', open: (page) => page.goto(`${url}/orders/none`) },
    { name: 'lost', open: (page) => page.goto(`${url}/none`) },
    {
      name: 'orders-one-printed',
      open: (page) => page.goto(`${url}/orders/${orders['settled']}`),
      printed: true,
    },
    {
      name: 'live-with-requests',
      async open(page) {
        await page.goto(`${url}/live`)
        await page.waitForLoadState('load')
        const rows = page.locator('#live tr')
        const before = await rows.count()
        await partner.send('GET', '/v1/cooperatives')
        await partner.send('GET', '/v1/investors/00000000-0000-4000-8000-000000000000/holdings')
        await rows.nth(before + 1).waitFor({ timeout: 10_000 })
      },
    },
    {
      name: 'orders-selected',
      async open(page) {
        await page.goto(`${url}/orders?status=submitted`)
        for (const row of [0, 1]) await page.locator('input[name=id]').nth(row).check()
      },
    },
    {
      name: 'partners-demo-bank',
      async open(page) {
        await page.goto(`${url}/partners`)
        await page.getByRole('link', { name: 'Demo Bank', exact: true }).first().click()
        await page.waitForLoadState('load')
      },
    },
    {
      name: 'event-dead',
      async open(page) {
        await page.goto(`${url}/orders/${orders['failing']}`)
        await page.locator('main a[href^="/events/"]').last().click()
        await page.waitForLoadState('load')
      },
    },
    ...steps.map(([name, route, prepare, button]) => ({
      name: nameOf(`step-${name}`),
      async open(page: Page) {
        const section = /^\^\\\/(\w+)/.exec(route.source)?.[1] ?? ''
        if (route.test(`/${section}`)) await page.goto(`${url}/${section}`)
        else await openFirst(page, url, `/${section}`)
        await prepare?.(page)
        await page.locator(button).first().click()
        await page.waitForLoadState('load')
      },
    })),
  ]
}
