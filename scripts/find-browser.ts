import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const elsewhere = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

export const howToGetBrowser =
  'there is no Chromium. Install it (apt-get install chromium), or say in CHROMIUM_PATH where it is'

/** The Chromium of this machine: the one that CHROMIUM_PATH names, or one of the usual names. */
export function findBrowser(): string | undefined {
  const named = process.env['CHROMIUM_PATH']
  if (named) return named
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const usual = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...usual, ...elsewhere].find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
