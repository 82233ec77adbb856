// `npm run screenshots -- [FOLDER] [--only TEXT]` makes pictures of all pages in both languages, in
// light and dark, on a screen and on a telephone, and a page with all of them. With `--documents`,
// it makes only the pictures that documents show.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { openBrowser, skipWithoutBrowser, type Visits } from '../../fixtures/program/browser.ts'
import { readArguments } from '../arguments.ts'
import { openScope, prepareScene, type Scene, shownTime } from './demo.ts'
import { writeDocumentPictures } from './documents.ts'
import { listViews, type View } from './pages.ts'
import { writeTerminalPicture } from './terminal.ts'

const languages = { en: 'en-GB', de: 'de-DE' } as const
const schemes = ['light', 'dark'] as const
const screens = { screen: [1280, 800], telephone: [390, 844] } as const
const longestPicture = 6000
/** The width of A4 in the pixels of a browser. */
const paperWidth = 794

const { values, positionals } = readArguments(() =>
  parseArgs({
    allowPositionals: true,
    options: {
      only: { type: 'string', default: '' },
      documents: { type: 'boolean', default: false },
    },
  }),
)
const folder = resolve(positionals[0] ?? 'dist/screenshots')

if (skipWithoutBrowser) {
  console.error(`No pictures were made: ${skipWithoutBrowser}.`)
  process.exit(1)
}

async function signIn(page: Page, { served, administratorToken }: Scene): Promise<void> {
  await page.goto(served.operator_url)
  await page.locator('#token').fill(administratorToken)
  await page.locator('main button').first().click()
  await page.getByRole('navigation').first().waitFor({ state: 'attached' })
}

async function openPages(visits: Visits, scene: Scene, locale: string) {
  const options = { locale, reducedMotion: 'reduce' } as const
  const [anonymous, operator] = [await visits.open(options), await visits.open(options)]
  for (const page of [anonymous, operator]) await page.clock.setFixedTime(shownTime)
  await signIn(operator, scene)
  return { anonymous, operator }
}

interface Picture {
  readonly view: string
  readonly file: string
}

/** Opens the page once, because neither a scheme nor a width needs another answer. */
async function takePictures(page: Page, view: View, language: string): Promise<Picture[]> {
  const pictures: Picture[] = []
  await view.open(page)
  for (const [screen, [width, height]] of Object.entries(screens))
    for (const colorScheme of schemes) {
      if (view.printed && (screen === 'telephone' || colorScheme === 'dark')) continue
      await page.emulateMedia({ colorScheme, media: view.printed ? 'print' : 'screen' })
      await page.setViewportSize({ width: view.printed ? paperWidth : width, height })
      const file = `${view.name}.${language}.${colorScheme}.${screen}.png`
      const long = Number(await page.evaluate('document.documentElement.scrollHeight'))
      await page.screenshot({
        path: join(folder, file),
        fullPage: !view.windowOnly && long <= longestPicture,
        animations: 'disabled',
      })
      pictures.push({ view: view.name, file })
    }
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ colorScheme: null, media: null })
  return pictures
}

/** A page with all pictures, those of one view in a row. */
function renderIndex(pictures: readonly Picture[]): string {
  const views = [...new Set(pictures.map(({ view }) => view))]
  const rows = views.map((view) => {
    const own = pictures.filter((picture) => picture.view === view)
    const images = own.map(
      ({ file }) => `<a href="${file}"><img loading="lazy" src="${file}" alt="${file}"></a>`,
    )
    return `<h2>${view}</h2>\n<div>${images.join('\n')}</div>`
  })
  return `<!doctype html>
<meta charset="utf-8">
<title>${pictures.length} pictures</title>
<style>body { font: 1rem system-ui; background: #888 } div { display: flex; gap: 1rem; overflow-x: auto } img { height: 32rem }</style>
${rows.join('\n')}
`
}

/** @returns whether there is a picture of every page */
async function takeAll(visits: Visits, scene: Scene): Promise<boolean> {
  if (positionals.length === 0) rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const failures: string[] = []
  const pictures: Picture[] = []
  const views = listViews(scene).filter(({ name }) => name.includes(values.only))
  for (const [language, locale] of Object.entries(languages)) {
    const { anonymous, operator } = await openPages(visits, scene, locale)
    for (const view of views) {
      const page = view.anonymous ? anonymous : operator
      try {
        pictures.push(...(await takePictures(page, view, language)))
      } catch (error) {
        failures.push(`${view.name} (${language}): ${(error as Error).message.split('\n')[0]}`)
      }
    }
  }
  writeFileSync(join(folder, 'index.html'), renderIndex(pictures))
  console.log(`${pictures.length} pictures: ${join(folder, 'index.html')}`)
  for (const failure of failures) console.error(`There is no picture of ${failure}`)
  return failures.length === 0
}

const { scope, close } = openScope('screenshots')
let isComplete = true
try {
  const [scene, visits] = await Promise.all([prepareScene(scope), openBrowser(scope)])
  if (values.documents) {
    const { operator } = await openPages(visits, scene, languages.en)
    const files = await writeDocumentPictures(operator, listViews(scene))
    console.log([...files, await writeTerminalPicture(scope)].join('\n'))
  } else isComplete = await takeAll(visits, scene)
} finally {
  await close()
}
process.exit(isComplete ? 0 : 1)
