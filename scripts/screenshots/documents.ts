// The pictures that documents show, in English.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { shrinkPng } from '../../fixtures/program/small-png.ts'
import type { View } from './pages.ts'

const folder = join(import.meta.dirname, '..', '..', 'docs', 'operators', 'screenshots')

interface DocumentPicture {
  readonly view: string
  readonly colorScheme?: 'dark'
  readonly width?: number
  readonly height?: number
  /** The heading at the top of the picture. */
  readonly from?: string
}

/** The keys are the names of the files. */
const pictures: Readonly<Record<string, DocumentPicture>> = {
  today: { view: 'today' },
  'today-dark': { view: 'today', colorScheme: 'dark' },
  orders: { view: 'orders-selected' },
  preview: { view: 'step-preview', height: 620 },
  order: { view: 'orders-failing', colorScheme: 'dark', height: 900, from: 'Timeline' },
  partner: { view: 'partners-demo-bank', from: 'Clients' },
  'dead-event': { view: 'event-dead' },
  live: { view: 'live-with-requests', height: 480 },
  found: { view: 'find-text-Hofmeister', width: 360, height: 720 },
}

/** @returns the files that were written */
export async function writeDocumentPictures(
  page: Page,
  views: readonly View[],
): Promise<readonly string[]> {
  const files: string[] = []
  for (const [name, picture] of Object.entries(pictures)) {
    const view = views.find((each) => each.name === picture.view)
    if (!view) throw new Error(`There is no view "${picture.view}" for the picture "${name}".`)
    const { colorScheme = 'light', width = 1280, height = 800, from } = picture
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height })
    await view.open(page)
    if (from !== undefined) {
      const heading = page.getByRole('heading', { name: from, exact: true })
      await heading.evaluate((element) => element.scrollIntoView())
    }
    const file = join(folder, `${name}.png`)
    writeFileSync(file, shrinkPng(await page.screenshot({ animations: 'disabled' })))
    files.push(file)
  }
  return files
}
